package io.quantail.audit;

import io.quantail.config.CoefficientSchedule;
import io.quantail.config.ConfigException;
import io.quantail.config.ConfigExtensions;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.config.SettingRule.Effect;
import io.quantail.config.SettingRules;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A setting with alternative values.
 *
 * @param path name of the setting, as in {@code --set}
 * @param others alternative values, as in {@code --set}
 */
record SettingChange(String path, List<String> others) {

  /** The settings of the learner with the given effect, in the order of their declaration. */
  static List<SettingChange> all(RunConfig config, Effect effect) {
    SettingRules rules = SettingRules.all();
    List<SettingChange> changes = new ArrayList<>();
    collect(config, "", changes);
    changes.removeIf(change -> rules.of(change.path()).effect() != effect);
    return changes;
  }

  private static void collect(Record section, String prefix, List<SettingChange> changes) {
    for (RecordComponent component : section.getClass().getRecordComponents()) {
      Object value = value(section, component);
      String path = prefix + component.getName();
      if (value instanceof Record inner && !(value instanceof CoefficientSchedule)) {
        collect(inner, path + ".", changes);
      } else if (!(value instanceof ConfigExtensions)) { // those belong to other modules
        changes.add(new SettingChange(path, others(component.getType(), value)));
      }
    }
  }

  private static Object value(Record section, RecordComponent component) {
    try {
      return component.getAccessor().invoke(section);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException("cannot read " + component, impossible);
    }
  }

  private static List<String> others(Class<?> type, Object value) {
    List<String> others = new ArrayList<>();
    if (value instanceof Boolean flag) {
      others.add(String.valueOf(!flag));
    } else if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        if (constant != value) {
          others.add(SettingNames.written((Enum<?>) constant));
        }
      }
    } else if (value instanceof Integer || value instanceof Long) {
      others.addAll(others(((Number) value).longValue()));
    } else if (value instanceof Double number) {
      others.addAll(others(CoefficientSchedule.constant(number)));
    } else if (value instanceof CoefficientSchedule schedule) {
      others.addAll(others(schedule));
    } else if (value == null) {
      others.addAll(List.of("0.01", "0.5"));
    }
    return others;
  }

  private static List<String> others(CoefficientSchedule schedule) {
    return schedule.is(0)
        ? List.of("0.1", "1")
        : List.of("" + scaled(schedule, 0.7), "" + scaled(schedule, 1.3));
  }

  private static CoefficientSchedule scaled(CoefficientSchedule schedule, double factor) {
    return new CoefficientSchedule(
        factor * schedule.from(), factor * schedule.to(), schedule.shape());
  }

  /** Large changes first, because a small one may be lost in rounding. */
  private static List<String> others(long number) {
    return number == 0
        ? List.of("2", "1")
        : List.of("" + 2 * number, "" + (number + 1), "" + (number - 1), "" + number / 2);
  }

  /** The settings with the first alternative value that is valid; empty if none is. */
  Optional<RunConfig> apply(RunConfig config) {
    for (String other : others) {
      try {
        return Optional.of(SampleConfig.with(config, path + "=" + other));
      } catch (ConfigException refused) {
        // the next alternative may be valid
      }
    }
    return Optional.empty();
  }
}
