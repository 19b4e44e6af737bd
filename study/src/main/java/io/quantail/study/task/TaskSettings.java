package io.quantail.study.task;

import io.quantail.config.RunConfig;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an agent that has most of them in common with other agents.
 *
 * @param common the settings of all of them as YAML; null while this agent's task is on its way to
 *     another process
 * @param overrides of this agent, such as {@code seed=3}
 */
public record TaskSettings(@Nullable String common, List<String> overrides)
    implements Serializable {
  public TaskSettings {
    overrides = List.copyOf(overrides);
  }

  /**
   * Settings as differences from others.
   *
   * @param others settings of another agent
   * @param yaml the same as YAML
   * @param config settings of this agent
   */
  public static TaskSettings of(RunConfig others, String yaml, RunConfig config) {
    Map<String, String> before = ConfigDiff.flat(others);
    List<String> overrides = new ArrayList<>();
    ConfigDiff.flat(config)
        .forEach(
            (path, value) -> {
              if (!value.equals(before.get(path))) {
                overrides.add(path + "=" + value);
              }
            });
    TaskSettings settings = new TaskSettings(yaml, overrides);
    return settings.isOf(config)
        ? settings
        : new TaskSettings(YamlConfig.toYaml(config), List.of()); // a section may be missing here
  }

  private boolean isOf(RunConfig config) {
    try {
      return config("").equals(config);
    } catch (RuntimeException differentSections) {
      return false;
    }
  }

  /** The same overrides of other common settings. */
  TaskSettings withCommonPart(@Nullable Serializable part) {
    return new TaskSettings((String) part, overrides);
  }

  /**
   * All settings.
   *
   * @param task name of the task, for messages
   * @param more further overrides
   */
  public RunConfig config(String task, String... more) {
    List<String> all = new ArrayList<>(overrides);
    all.addAll(List.of(more));
    return YamlConfig.parse(Objects.requireNonNull(common), task, all);
  }
}
