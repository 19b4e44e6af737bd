package io.quantail.gymnasium;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How environments named {@code gymnasium:ID} are run; section {@code gymnasium}.
 *
 * @param python the Python interpreter; null: the environment variable {@code QUANTAIL_PYTHON},
 *     else {@code python3}; default null
 * @param processes Python processes among which the environments are divided; at least 1; default 1
 * @param deadlineSeconds longest time of a start, a step or a reset; positive; default 60
 * @param options keyword arguments of {@code gymnasium.make}, each as {@code name=value} with the
 *     value in JSON or as text; default none
 */
public record GymnasiumConfig(
    @Nullable String python, int processes, double deadlineSeconds, List<String> options) {
  /**
   * Checks the settings.
   *
   * @param python the Python interpreter; null for the default
   * @param processes Python processes
   * @param deadlineSeconds longest time of a call
   * @param options keyword arguments as {@code name=value}
   */
  public GymnasiumConfig {
    if (python != null) {
      Check.notBlank("gymnasium.python", python);
    }
    Check.atLeast("gymnasium.processes", processes, 1);
    Check.positive("gymnasium.deadlineSeconds", deadlineSeconds);
    Check.present("gymnasium.options", options);
    options = List.copyOf(options);
    parse(options);
  }

  static GymnasiumConfig defaults() {
    return new GymnasiumConfig(null, 1, 60, List.of());
  }

  /** The keyword arguments by name. */
  Map<String, @Nullable Object> arguments() {
    return parse(options);
  }

  private static Map<String, @Nullable Object> parse(List<String> options) {
    Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
    for (String option : options) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new ConfigException(
            "gymnasium.options must be written as name=value, was \"" + option + "\"");
      }
      String name = option.substring(0, equals).strip();
      if (arguments.containsKey(name)) {
        throw new ConfigException("gymnasium.options names \"" + name + "\" twice");
      }
      arguments.put(name, OptionValue.parse(option.substring(equals + 1).strip()));
    }
    return arguments;
  }
}
