package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    Map<String, String> defaults = ConfigDiff.defaults(YamlConfig.toTree(config));
    List<SettingRow> settings = new ArrayList<>();
    ConfigDiff.flat(config)
        .forEach(
            (path, value) ->
                settings.add(new SettingRow(path, value, !value.equals(defaults.get(path)))));
    return settings;
  }
}
