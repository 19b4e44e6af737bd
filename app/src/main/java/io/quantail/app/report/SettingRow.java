package io.quantail.app.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * One row of a table of settings.
 *
 * @param path name of the setting, such as {@code ppo.clipRange}
 * @param value in its written form
 * @param changed whether the value differs from the default
 */
public record SettingRow(String path, String value, boolean changed) {

  /** All settings of a run. */
  public static List<SettingRow> of(RunConfig config) {
    Map<String, String> defaults = ConfigDiff.flat(defaults(config));
    List<SettingRow> settings = new ArrayList<>();
    ConfigDiff.flat(config)
        .forEach(
            (path, value) ->
                settings.add(new SettingRow(path, value, !value.equals(defaults.get(path)))));
    return settings;
  }

  /** The defaults of all sections that the run has. */
  private static RunConfig defaults(RunConfig config) {
    JsonNode known = YamlConfig.toTree(RunConfig.defaults());
    String sections =
        StreamSupport.stream(
                ((Iterable<String>) () -> YamlConfig.toTree(config).fieldNames()).spliterator(),
                false)
            .filter(name -> !known.has(name))
            .map(name -> name + ": {}")
            .collect(Collectors.joining(", ", "{", "}"));
    return YamlConfig.parse(sections, "defaults", List.of());
  }
}
