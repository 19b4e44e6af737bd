package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRule;
import io.quantail.config.SettingRules;
import io.quantail.io.Sha256;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Hashes of directories that builds without a format number wrote. They cover all settings of those
 * builds, defaults included, so they are only compared, never written.
 *
 * <p>A hash is empty if a setting that was added later differs from {@link SettingRule#before}: no
 * build of format 0 could train with it.
 */
public final class FormatZero {
  /** Settings that the manifests of format 0 do not hash. */
  private static final List<String> FREE =
      List.of("training.", "evaluation.", "environment.faults.", "health.");

  private FormatZero() {}

  /** Hash in the manifest of a snapshot. */
  static Optional<String> resumeHash(RunConfig config) {
    return tree(config).map(FormatZero::resumeHash);
  }

  private static String resumeHash(ObjectNode tree) {
    Map<String, String> binding = new TreeMap<>();
    ConfigDiff.values(tree)
        .forEach(
            (path, value) -> {
              if (FREE.stream().noneMatch(path::startsWith)) {
                binding.put(path, ConfigDiff.written(value));
              }
            });
    return Sha256.hex(ConfigDiff.json(binding));
  }

  /** The text of all settings, which the outcomes of tasks and the journals of populations hash. */
  public static Optional<String> yaml(RunConfig config) {
    return tree(config).map(YamlConfig::write);
  }

  private static Optional<ObjectNode> tree(RunConfig config) {
    ObjectNode tree = YamlConfig.toTree(config);
    return removeLater(tree, "", SettingRules.all()) ? Optional.of(tree) : Optional.empty();
  }

  /** Removes the settings that format 0 did not have; false if one of them has an effect. */
  private static boolean removeLater(ObjectNode tree, String prefix, SettingRules rules) {
    Iterator<Map.Entry<String, JsonNode>> fields = tree.properties().iterator();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      String path = prefix + field.getKey();
      if (field.getValue() instanceof ObjectNode section && !ScheduleTree.is(section)) {
        int settings = section.size();
        if (!removeLater(section, path + ".", rules)) {
          return false;
        }
        if (section.isEmpty() && settings > 0) {
          fields.remove(); // a section that format 0 did not have
        }
      } else if (rules.of(path).since() > 0) {
        if (!rules.of(path).isBefore(ConfigDiff.written(field.getValue()))) {
          return false;
        }
        fields.remove();
      }
    }
    return true;
  }
}
