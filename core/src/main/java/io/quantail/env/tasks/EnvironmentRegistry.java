package io.quantail.env.tasks;

import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;
import io.quantail.env.ObservationFilter;
import io.quantail.env.TimeLimitWrapper;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Finds environments by name: the built-in ones, then those of {@link EnvironmentProvider}s, then a
 * class by its full name. {@code EnvironmentRegistryTest} pins it.
 */
public final class EnvironmentRegistry {
  private static final Map<String, EnvironmentFactory> BUILT_IN = builtIn();

  private EnvironmentRegistry() {}

  private static Map<String, EnvironmentFactory> builtIn() {
    int cartPoleLimit = 500;
    int pendulumLimit = 200;
    Map<String, EnvironmentFactory> map = new LinkedHashMap<>();
    map.put("CartPole-v1", index -> new TimeLimitWrapper(new CartPole(), cartPoleLimit));
    map.put(
        "CartPoleNoVelocity-v1",
        index -> new TimeLimitWrapper(new ObservationFilter(new CartPole(), 0, 2), cartPoleLimit));
    map.put("Pendulum-v1", index -> new TimeLimitWrapper(new Pendulum(), pendulumLimit));
    map.put(
        "PendulumNoVelocity-v1",
        index -> new TimeLimitWrapper(new ObservationFilter(new Pendulum(), 0, 1), pendulumLimit));
    map.put("Bandit-v0", index -> new Bandit());
    map.put("RepeatPrevious-v0", index -> new RepeatPrevious());
    map.put("DelayedCue-v0", index -> new DelayedCue(DelayedCue.DEFAULT_DELAY));
    map.put("CoinChain-v0", index -> new CoinChain());
    map.put("TailBandit-v0", index -> new TailBandit());
    map.put("Exposure-v0", index -> new Exposure());
    map.put("EpisodeExposure-v0", index -> new EpisodeExposure());
    map.put("FatTailExposure-v0", index -> new FatTailExposure());
    return map;
  }

  /** {@return the names that {@link #byName} accepts, built-in ones first} */
  public static List<String> names() {
    return Stream.concat(BUILT_IN.keySet().stream(), provided().keySet().stream()).toList();
  }

  /**
   * Finds the environments of a run.
   *
   * @param config settings of the run
   * @return the factory for its environments
   * @throws EnvironmentException.Unknown if there are none of that name
   */
  public static EnvironmentFactory of(RunConfig config) {
    return find(config.environment().name(), config);
  }

  /**
   * Finds the environments of a name, with default settings.
   *
   * @param name a name of {@link #names()}, or of a public class that implements {@link
   *     Environment} and has a public constructor without parameters
   * @return the factory for these environments
   * @throws EnvironmentException.Unknown if there is none, with the nearest name
   */
  public static EnvironmentFactory byName(String name) {
    return find(name, RunConfig.defaults());
  }

  private static EnvironmentFactory find(String name, RunConfig config) {
    // Built-in ones first, so that a broken provider does not affect them.
    EnvironmentFactory builtIn = BUILT_IN.get(name);
    if (builtIn != null) {
      return builtIn;
    }
    EnvironmentProvider provider = provided().get(name);
    return provider != null ? provider.factory(config) : byClass(name);
  }

  private static Map<String, EnvironmentProvider> provided() {
    Map<String, EnvironmentProvider> provided = new LinkedHashMap<>();
    try {
      for (EnvironmentProvider provider : ServiceLoader.load(EnvironmentProvider.class)) {
        if (BUILT_IN.containsKey(provider.name())
            || provided.put(provider.name(), provider) != null) {
          throw new EnvironmentException(
              "%s provides the environment \"%s\", which exists already; give it another name"
                  .formatted(provider.getClass().getName(), provider.name()));
        }
      }
    } catch (ServiceConfigurationError broken) {
      throw new EnvironmentException(
          "an environment provider on the class path is broken: " + broken.getMessage(), broken);
    }
    return provided;
  }

  private static EnvironmentFactory byClass(String name) {
    Class<?> type;
    try {
      type = Class.forName(name, true, Thread.currentThread().getContextClassLoader());
    } catch (ExceptionInInitializerError thrown) {
      throw new EnvironmentException(
          "class " + name + " cannot be initialised: " + thrown.getCause(), thrown.getCause());
    } catch (ClassNotFoundException | LinkageError missing) {
      throw unknown(name);
    }
    if (!Environment.class.isAssignableFrom(type) || !Modifier.isPublic(type.getModifiers())) {
      throw new EnvironmentException.Unknown(
          "class %s must be public and implement %s".formatted(name, Environment.class.getName()));
    }
    try {
      Constructor<?> constructor = type.getConstructor();
      return index -> (Environment) construct(constructor);
    } catch (NoSuchMethodException missing) {
      throw new EnvironmentException.Unknown(
          "class " + name + " needs a public constructor without parameters", missing);
    }
  }

  private static Object construct(Constructor<?> constructor) {
    String name = constructor.getDeclaringClass().getName();
    try {
      return constructor.newInstance();
    } catch (InvocationTargetException thrown) {
      throw new EnvironmentException(
          "the constructor of " + name + " threw " + thrown.getCause(), thrown.getCause());
    } catch (ReflectiveOperationException refused) {
      throw new EnvironmentException("cannot create " + name + ": " + refused, refused);
    }
  }

  private static EnvironmentException.Unknown unknown(String name) {
    List<String> names = names();
    Comparator<String> nearer =
        Comparator.<String>comparingInt(
                known -> SettingNames.edits(SettingNames.fold(known), SettingNames.fold(name)))
            .thenComparing(known -> commonPrefix(known, name), Comparator.reverseOrder());
    String nearest = names.stream().min(nearer).orElseThrow();
    return new EnvironmentException.Unknown(
        "no environment is named \"%s\"; did you mean \"%s\"? Known are %s, and the full names of"
                .formatted(name, nearest, names)
            + " public classes that implement "
            + Environment.class.getName());
  }

  private static int commonPrefix(String first, String second) {
    int length = 0;
    while (first.regionMatches(true, 0, second, 0, length + 1)) {
      length++;
    }
    return length;
  }
}
