package io.quantail.run.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.config.SettingRule;
import io.quantail.config.SettingRule.Effect;
import io.quantail.config.SettingRule.Resume;
import io.quantail.config.SettingRules;
import io.quantail.io.Sha256;
import io.quantail.run.io.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Settings by path, their differences, and their hashes.
 *
 * <p>A hash covers the settings that differ from {@link SettingRule#before}. A setting that a later
 * build adds therefore leaves the hashes of stored runs, sweeps and populations as they are.
 * Directories of format 0 hold hashes of all settings; {@link FormatZero} recognises them.
 */
public final class ConfigDiff {

  private ConfigDiff() {}

  /**
   * A setting whose value differs from that of the stored run.
   *
   * @param path its name
   * @param before its value when the run began
   * @param now its value in {@code config.yaml}
   * @param allowed whether the run may be resumed with it
   */
  public record Change(String path, String before, String now, boolean allowed) {
    @Override
    public String toString() {
      return path + " is " + now + ", was " + before;
    }
  }

  /** A hash of the settings that a resumed run must not change. */
  public static String resumeHash(RunConfig config) {
    return hash(config, rule -> rule.resume() == Resume.KEEP);
  }

  /** Whether a stored {@link #resumeHash} is that of these settings; also of format 0. */
  public static boolean isResumeHash(String stored, RunConfig config) {
    return stored.equals(resumeHash(config))
        || FormatZero.resumeHash(config).filter(stored::equals).isPresent();
  }

  /** A hash of all settings that change what an agent learns or how it is evaluated. */
  public static String hash(RunConfig config) {
    return hash(config, rule -> rule.effect() != Effect.NONE);
  }

  /**
   * {@link #hash(RunConfig)} without some settings.
   *
   * @param prefixes of the paths of those settings
   */
  public static String hashWithout(RunConfig config, List<String> prefixes) {
    Map<String, String> settings = flat(config);
    settings.keySet().removeIf(path -> prefixes.stream().anyMatch(path::startsWith));
    return hash(settings, rule -> rule.effect() != Effect.NONE);
  }

  private static String hash(RunConfig config, Predicate<SettingRule> included) {
    return hash(flat(config), included);
  }

  private static String hash(Map<String, String> different, Predicate<SettingRule> included) {
    SettingRules rules = SettingRules.all();
    different
        .entrySet()
        .removeIf(
            setting -> {
              SettingRule rule = rules.of(setting.getKey());
              return !included.test(rule) || rule.isBefore(setting.getValue());
            });
    return Sha256.hex(json(different));
  }

  static String json(Map<String, String> settings) {
    try {
      return Json.MAPPER.writeValueAsString(settings);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * The settings that have changed since a run began.
   *
   * @param stored settings of the run; where one is missing, {@link SettingRule#before} counts. A
   *     missing node stands for unknown settings and gives no changes
   */
  public static List<Change> changes(JsonNode stored, RunConfig now) {
    if (stored.isMissingNode()) {
      return List.of();
    }
    SettingRules rules = SettingRules.all();
    Map<String, String> old = flat(stored);
    Map<String, String> present = flat(now);
    TreeSet<String> paths = new TreeSet<>(old.keySet());
    paths.addAll(present.keySet());
    List<Change> changes = new ArrayList<>();
    for (String path : paths) {
      SettingRule rule = rules.of(path);
      String was = old.getOrDefault(path, missing(rule));
      String is = present.getOrDefault(path, missing(rule));
      if (!was.equals(is)) {
        changes.add(new Change(path, was, is, rule.resume() == Resume.CHANGE));
      }
    }
    return changes;
  }

  private static String missing(SettingRule rule) {
    return rule.before().equals(SettingRule.NOT_GIVEN) ? "not given" : rule.before();
  }

  /** Each setting by its path; numbers as they are written, without trailing zeros. */
  public static Map<String, String> flat(RunConfig config) {
    return flat(YamlConfig.toTree(config));
  }

  /**
   * The default of each setting by its path, for the sections that a tree has besides those of
   * every run.
   *
   * @throws ConfigException if a section is unknown
   */
  public static Map<String, String> defaults(JsonNode tree) {
    JsonNode known = YamlConfig.toTree(RunConfig.defaults());
    StringJoiner sections = new StringJoiner(", ", "{", "}");
    tree.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.has(name)) {
                sections.add(name + ": {}");
              }
            });
    return flat(YamlConfig.parse(sections.toString(), "defaults", List.of()));
  }

  /** Each setting of a stored tree by its path, in its written form. */
  public static Map<String, String> flat(JsonNode tree) {
    Map<String, String> settings = new TreeMap<>();
    values(tree).forEach((path, value) -> settings.put(path, written(value)));
    return settings;
  }

  /**
   * The value of a setting.
   *
   * @param where the setting was named, in front of its path in messages
   */
  public static JsonNode find(String where, String path, RunConfig config) {
    return find(where, path, YamlConfig.toTree(config));
  }

  /** The value of a setting in a complete tree. */
  static JsonNode find(String where, String path, JsonNode tree) {
    Map<String, JsonNode> settings = values(tree);
    JsonNode setting = settings.get(path);
    if (setting != null) {
      return setting;
    }
    Optional<String> inside =
        settings.keySet().stream().filter(known -> known.startsWith(path + ".")).findFirst();
    if (inside.isPresent()) {
      throw new ConfigException(
          "%s%s is a section; name one of its settings, such as %s"
              .formatted(where, path, inside.get()));
    }
    String hint =
        SettingNames.nearest(path, settings.keySet())
            .map(near -> "did you mean " + near + "?")
            .orElse("settings are listed in docs/reference/settings.md");
    throw new ConfigException("%s%s names no setting; %s".formatted(where, path, hint));
  }

  /** The value of each setting by its path, in the order of the tree. */
  static Map<String, JsonNode> values(JsonNode tree) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    collect(tree, "", values);
    return values;
  }

  private static void collect(JsonNode node, String prefix, Map<String, JsonNode> values) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getValue().isObject() && !ScheduleTree.is(field.getValue())) {
        collect(field.getValue(), prefix + field.getKey() + ".", values);
      } else {
        values.put(prefix + field.getKey(), field.getValue());
      }
    }
  }

  /** A value as it is written in a configuration; numbers without trailing zeros. */
  public static String written(JsonNode value) {
    if (value.isNumber()) {
      return value.decimalValue().stripTrailingZeros().toPlainString();
    }
    if (value.isObject()) {
      return value.properties().stream()
          .map(part -> part.getKey() + ": " + written(part.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    return value.isArray() ? value.toString() : value.asText();
  }
}
