package io.quantail.testing;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

  /** A copy of settings with overrides such as {@code network.layers=2}; of two, the later. */
  public static <T extends Record> T override(T settings, List<String> overrides) {
    RecordComponent[] components = settings.getClass().getRecordComponents();
    List<String> unused = new ArrayList<>(overrides);
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < values.length; i++) {
        String name = components[i].getName();
        values[i] = components[i].getAccessor().invoke(settings);
        List<String> inside = rests(unused, name + ".");
        List<String> own = rests(unused, name + "=");
        if (!inside.isEmpty()) {
          values[i] = override((Record) values[i], inside);
        } else if (!own.isEmpty()) {
          String text = own.get(own.size() - 1).strip();
          values[i] =
              components[i].getType().isRecord()
                  ? parseRecord(components[i].getType(), text)
                  : parse(components[i].getGenericType(), text);
        }
      }
      if (!unused.isEmpty()) {
        throw new IllegalArgumentException("no such settings: " + unused);
      }
      @SuppressWarnings("unchecked") // the same class
      T changed = (T) construct(settings.getClass(), components, values);
      return changed;
    } catch (ReflectiveOperationException failure) {
      if (failure.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalStateException(failure);
    }
  }

  private static Object construct(
      Class<?> type, RecordComponent[] components, @Nullable Object[] values)
      throws ReflectiveOperationException {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    return type.getDeclaredConstructor(types).newInstance(values);
  }

  /** A record as a number, for its method {@code constant}, or as {@code {name: value, ...}}. */
  private static Object parseRecord(Class<?> type, String text)
      throws ReflectiveOperationException {
    if (!text.startsWith("{")) {
      return type.getMethod("constant", double.class).invoke(null, Double.valueOf(text));
    }
    List<String> parts =
        new ArrayList<>(
            Arrays.stream(text.substring(1, text.length() - 1).split(","))
                .map(String::strip)
                .toList());
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      String value = rests(parts, components[i].getName() + ":").get(0).strip();
      values[i] = parse(components[i].getGenericType(), value);
    }
    return construct(type, components, values);
  }

  /** Removes the overrides that begin with a text, and returns what follows it in each. */
  private static List<String> rests(List<String> overrides, String beginning) {
    List<String> rests =
        overrides.stream()
            .filter(override -> override.startsWith(beginning))
            .map(override -> override.substring(beginning.length()))
            .toList();
    overrides.removeIf(override -> override.startsWith(beginning));
    return rests;
  }

  private static @Nullable Object parse(Type type, String text) {
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
