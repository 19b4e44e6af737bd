package io.quantail.testing;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Settings of trainings that take milliseconds, for tests of modules that have settings as records
 * and no file format.
 */
public final class SmallRuns {
  private static final List<String> SMALL =
      List.of(
          "environment.count=4",
          "network.hidden=8",
          "critic.quantiles=5",
          "rollout.steps=16",
          "ppo.batchSize=32",
          "ppo.sequenceLength=8",
          "ppo.epochs=2",
          "training.threads=1",
          "training.steps=10000");

  private SmallRuns() {}

  /** Small settings with overrides such as {@code network.layers=2} on top. */
  public static <T extends Record> T of(T defaults, String... overrides) {
    List<String> all = new ArrayList<>(SMALL);
    all.addAll(List.of(overrides));
    return override(defaults, all);
  }

  /** A copy of settings with overrides such as {@code network.layers=2}. */
  public static <T extends Record> T override(T settings, List<String> overrides) {
    T changed = settings;
    for (String override : overrides) {
      int equals = override.indexOf('=');
      changed =
          with(changed, override.substring(0, equals).strip(), override.substring(equals + 1));
    }
    return changed;
  }

  private static <T extends Record> T with(T settings, String path, String text) {
    int dot = path.indexOf('.');
    String name = dot < 0 ? path : path.substring(0, dot);
    RecordComponent[] components = settings.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    boolean found = false;
    try {
      for (int i = 0; i < values.length; i++) {
        values[i] = components[i].getAccessor().invoke(settings);
        if (components[i].getName().equals(name)) {
          found = true;
          values[i] =
              dot < 0
                  ? parse(components[i].getGenericType(), text.strip())
                  : with((Record) values[i], path.substring(dot + 1), text);
        }
      }
      if (!found) {
        throw new IllegalArgumentException("no setting " + path + " in " + settings.getClass());
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Constructor<?> constructor = settings.getClass().getDeclaredConstructor(types);
      @SuppressWarnings("unchecked") // the constructor of the same class
      T changed = (T) constructor.newInstance(values);
      return changed;
    } catch (ReflectiveOperationException failure) {
      if (failure.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalStateException(failure);
    }
  }

  private static Object parse(Type type, String text) {
    if (text.equals("null")) {
      return null;
    }
    if (type instanceof ParameterizedType list) {
      String inner = text.replaceAll("^\\[|]$", "").strip();
      return inner.isEmpty()
          ? List.of()
          : Arrays.stream(inner.split(","))
              .map(element -> parse(list.getActualTypeArguments()[0], element.strip()))
              .toList();
    }
    if (type == int.class || type == Integer.class) {
      return Integer.valueOf(text.replace("_", ""));
    }
    if (type == long.class || type == Long.class) {
      return Long.valueOf(text.replace("_", ""));
    }
    if (type == double.class || type == Double.class) {
      return Double.valueOf(text);
    }
    if (type == boolean.class || type == Boolean.class) {
      return Boolean.valueOf(text);
    }
    if (type instanceof Class<?> constants && constants.isEnum()) {
      String written = text.toUpperCase(Locale.ROOT).replace('-', '_');
      return Arrays.stream(constants.getEnumConstants())
          .filter(constant -> ((Enum<?>) constant).name().equals(written))
          .findFirst()
          .orElseThrow();
    }
    return text;
  }
}
