package io.quantail.env.tasks;

import io.quantail.config.EnvironmentConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;
import io.quantail.env.LimitedEnvironments;
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
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds environments by name: the built-in ones, then those of {@link EnvironmentProvider}s, then a
 * class by its full name. {@code EnvironmentRegistryTest} pins it.
 */
public final class EnvironmentRegistry {
  /**
   * Steps after which an endless process starts anew; far beyond the horizon of usual discounts.
   */
  private static final int PROCESS_LIMIT = 10_000;

  private static final Map<String, EnvironmentFactory> BUILT_IN = builtIn();

  private EnvironmentRegistry() {}

  private static Map<String, EnvironmentFactory> builtIn() {
    Map<String, EnvironmentFactory> map = new LinkedHashMap<>();
    addControlTasks(map);
    map.put("Bandit-v0", index -> new Bandit());
    map.put("RepeatPrevious-v0", index -> new RepeatPrevious());
    map.put("DelayedCue-v0", index -> new DelayedCue(DelayedCue.DEFAULT_DELAY));
    map.put("MaskedRecall-v0", index -> new MaskedRecall());
    map.put("RepeatMixed-v0", index -> new RepeatMixed());
    map.put("CoinChain-v0", index -> new CoinChain());
    map.put("TailBandit-v0", index -> new TailBandit());
    map.put("Exposure-v0", index -> new Exposure());
    addCardGames(map);
    addLimited(map, "TimeLimit-v0", Ladder::new, Ladder.RUNGS);
    addLimited(map, "TimeLimitLong-v0", Ladder::new, 10 * Ladder.RUNGS);
    addProcess(map, "IidNormal-v0", RewardProcess.Kind.IID_NORMAL);
    addProcess(map, "Autoregressive-v0", RewardProcess.Kind.AUTOREGRESSIVE);
    addProcess(map, "Jumps-v0", RewardProcess.Kind.JUMPS);
    map.put("EpisodeExposure-v0", index -> new EpisodeExposure());
    map.put("FatTailExposure-v0", index -> new FatTailExposure());
    return map;
  }

  /** Tasks of Gymnasium, each with a twin that hides the velocities. */
  private static void addControlTasks(Map<String, EnvironmentFactory> map) {
    addLimited(map, "CartPole-v1", CartPole::new, 500);
    addLimited(map, "CartPoleNoVelocity-v1", () -> select(new CartPole(), 0, 2), 500);
    addLimited(map, "Pendulum-v1", Pendulum::new, 200);
    addLimited(map, "PendulumNoVelocity-v1", () -> select(new Pendulum(), 0, 1), 200);
    addLimited(map, "Acrobot-v1", Acrobot::new, 500);
    addLimited(map, "AcrobotNoVelocity-v1", () -> select(new Acrobot(), 0, 1, 2, 3), 500);
    addLimited(map, "MountainCarContinuous-v0", MountainCarContinuous::new, 999);
    addLimited(
        map,
        "MountainCarContinuousNoVelocity-v0",
        () -> select(new MountainCarContinuous(), 0),
        999);
  }

  /** Games of POPGym in its sizes, and smaller ones. */
  private static void addCardGames(Map<String, EnvironmentFactory> map) {
    map.put("RepeatPreviousEasy-v0", index -> new RepeatPreviousSuit(52, 3));
    map.put("RepeatPreviousMedium-v0", index -> new RepeatPreviousSuit(104, 31));
    map.put("RepeatPreviousHard-v0", index -> new RepeatPreviousSuit(156, 63));
    map.put("AutoencodeTiny-v0", index -> new Autoencode(8));
    map.put("AutoencodeEasy-v0", index -> new Autoencode(52));
    map.put("AutoencodeMedium-v0", index -> new Autoencode(104));
    map.put("AutoencodeHard-v0", index -> new Autoencode(156));
    addConcentration(map, "ConcentrationTiny-v0", 8, CardFace.COLOUR);
    addConcentration(map, "ConcentrationEasy-v0", 52, CardFace.COLOUR);
    addConcentration(map, "ConcentrationMedium-v0", 104, CardFace.COLOUR);
    addConcentration(map, "ConcentrationHard-v0", 52, CardFace.RANK);
  }

  private static void addConcentration(
      Map<String, EnvironmentFactory> map, String name, int cards, CardFace face) {
    addLimited(map, name, () -> new Concentration(cards, face), 2 * cards);
  }

  private static void addProcess(
      Map<String, EnvironmentFactory> map, String name, RewardProcess.Kind kind) {
    addLimited(map, name, () -> new RewardProcess(kind, 1), PROCESS_LIMIT);
  }

  private static void addLimited(
      Map<String, EnvironmentFactory> map, String name, Supplier<Environment> task, int limit) {
    map.put(name, index -> new TimeLimitWrapper(task.get(), limit));
  }

  private static Environment select(Environment environment, int... components) {
    return new ObservationFilter(environment, components);
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
    return LimitedEnvironments.of(
        find(config.environment().name(), config), config.environment().episodeLimit());
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
    return find(name, named(name, RunConfig.defaults()));
  }

  private static RunConfig named(String name, RunConfig run) {
    EnvironmentConfig environment = run.environment();
    return new RunConfig(
        run.seed(),
        new EnvironmentConfig(
            name,
            environment.count(),
            environment.normalizeObservations(),
            environment.observationClip(),
            environment.episodeLimit(),
            environment.faults()),
        run.network(),
        run.critic(),
        run.returns(),
        run.risk(),
        run.robust(),
        run.rollout(),
        run.ppo(),
        run.optimizer(),
        run.training(),
        run.evaluation(),
        run.modules());
  }

  private static EnvironmentFactory find(String name, RunConfig config) {
    // Built-in ones first, so that a broken provider does not affect them.
    EnvironmentFactory builtIn = BUILT_IN.get(name);
    if (builtIn != null) {
      return builtIn;
    }
    Map<String, EnvironmentProvider> provided = provided();
    EnvironmentProvider provider =
        provided.getOrDefault(name, provided.get(name.substring(0, name.indexOf(':') + 1)));
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
    Class<?> type = load(name, false); // a configuration must not run code of any class it names
    if (!Environment.class.isAssignableFrom(type) || !Modifier.isPublic(type.getModifiers())) {
      throw new EnvironmentException.Unknown(
          "class %s must be public and implement %s".formatted(name, Environment.class.getName()));
    }
    load(name, true);
    try {
      Constructor<?> constructor = type.getConstructor();
      return index -> (Environment) construct(constructor);
    } catch (NoSuchMethodException missing) {
      throw new EnvironmentException.Unknown(
          "class " + name + " needs a public constructor without parameters", missing);
    }
  }

  private static Class<?> load(String name, boolean initialize) {
    try {
      return Class.forName(name, initialize, Thread.currentThread().getContextClassLoader());
    } catch (ExceptionInInitializerError thrown) {
      throw new EnvironmentException(
          "class " + name + " cannot be initialised: " + thrown.getCause(), thrown.getCause());
    } catch (ClassNotFoundException | LinkageError missing) {
      throw unknown(name);
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
