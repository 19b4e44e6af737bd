package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.quantail.config.ConfigException;
import io.quantail.config.SettingRule;
import io.quantail.config.SettingRules;
import java.util.Locale;
import java.util.Map;

/**
 * The format number of stored settings, such as {@code format: 2} at the top of the {@code
 * config.yaml} of a run. A file that a user writes needs none.
 */
final class StoredFormat {
  /** The first format whose files have a number. */
  private static final int FIRST = 1;

  private StoredFormat() {}

  /** Removes the format number from a document; false if it has none. */
  static boolean take(JsonNode document, String sourceName) {
    if (!(document instanceof ObjectNode settings) || !settings.has(YamlConfig.FORMAT)) {
      return false;
    }
    JsonNode format = settings.remove(YamlConfig.FORMAT);
    boolean known =
        format.canConvertToExactIntegral()
            && format.asLong() >= FIRST
            && format.asLong() <= SettingRules.FORMAT;
    if (!known) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "format in %s must be in [%d, %d], was %s; read the file with the build that wrote it, or leave the"
                  + " line out of a file of your own",
              sourceName,
              FIRST,
              SettingRules.FORMAT,
              ScalarParser.shown(format)));
    }
    return true;
  }

  /** Gives each setting the value that a stored run without it means. */
  static void fillIn(ObjectNode tree) {
    fillIn(tree, "", SettingRules.all());
  }

  private static void fillIn(ObjectNode tree, String prefix, SettingRules rules) {
    for (Map.Entry<String, JsonNode> field : tree.properties()) {
      String path = prefix + field.getKey();
      if (field.getValue() instanceof ObjectNode section && !ScheduleTree.is(section)) {
        fillIn(section, path + ".", rules);
      } else {
        field.setValue(before(rules.of(path), field.getValue()));
      }
    }
  }

  private static JsonNode before(SettingRule rule, JsonNode value) {
    boolean same = rule.isBefore(ConfigDiff.written(value));
    if (same || rule.before().equals(SettingRule.NOT_GIVEN)) {
      return value;
    }
    return value.isTextual()
        ? TextNode.valueOf(rule.before())
        : YamlReader.parse(rule.before(), rule.path());
  }
}
