package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.io.Sha256;
import io.quantail.run.settings.ConfigDiff;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the list of runs shows of the settings of a run.
 *
 * @param environment name of the environment; empty if unknown
 * @param totalSteps environment steps to train; null if unknown
 * @param changed settings that differ from their default, by path, without the seed
 * @param defaults of these settings, as far as they have one
 * @param key equal for runs with equal settings but for the seed
 */
record RunSettings(
    String environment,
    @Nullable Long totalSteps,
    Map<String, String> changed,
    Map<String, String> defaults,
    String key) {
  private static final int KEY_LENGTH = 12;

  /**
   * @param tree settings of a run; a missing node if they are unknown
   * @param all default of each setting, by path
   */
  static RunSettings of(JsonNode tree, Map<String, String> all) {
    JsonNode steps = tree.path("training").path("steps");
    Map<String, String> changed = new TreeMap<>(tree.isObject() ? ConfigDiff.flat(tree) : Map.of());
    changed.entrySet().removeIf(setting -> setting.getValue().equals(all.get(setting.getKey())));
    changed.remove("seed");
    Map<String, String> defaults = new TreeMap<>(all);
    defaults.keySet().retainAll(changed.keySet());
    return new RunSettings(
        tree.path("environment").path("name").asText(""),
        steps.canConvertToLong() ? steps.asLong() : null,
        changed,
        defaults,
        Sha256.hex(changed.toString()).substring(0, KEY_LENGTH));
  }
}
