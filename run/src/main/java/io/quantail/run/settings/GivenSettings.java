package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings that were given one over the other: those of a file, then overrides. Immutable.
 *
 * <p>Names are checked at once. Values are checked together by {@link #config}, because some depend
 * on each other.
 */
public final class GivenSettings {
  private final ObjectNode tree; // complete: the defaults, overlaid
  private final Set<String> sections; // that were named
  private final boolean stored; // by a run, possibly of an older build

  private GivenSettings(ObjectNode tree, Set<String> sections, boolean stored) {
    this.tree = tree;
    this.sections = Set.copyOf(sections);
    this.stored = stored;
  }

  /** No settings: all have their defaults. */
  public static GivenSettings none() {
    return start(false);
  }

  private static GivenSettings start(boolean stored) {
    ObjectNode tree = YamlConfig.toTree(RunConfig.defaults());
    ExtensionTrees.addDefaults(tree);
    if (stored) {
      StoredFormat.fillIn(tree);
    }
    return new GivenSettings(tree, Set.of(), stored);
  }

  /** The settings of a run. */
  public static GivenSettings of(RunConfig config) {
    return start(true).over(YamlConfig.toTree(config), "the settings of a run");
  }

  /**
   * The settings of a YAML text.
   *
   * @param sourceName stands for the text in messages
   */
  public static GivenSettings parse(String yaml, String sourceName) {
    return parse(yaml, sourceName, false);
  }

  /** The settings of a YAML file. */
  public static GivenSettings load(Path file) {
    return parse(YamlConfig.read(file), String.valueOf(file.getFileName()));
  }

  /**
   * The settings of a YAML text.
   *
   * @param stored whether a run stored them, possibly with an older build
   */
  static GivenSettings parse(String yaml, String sourceName, boolean stored) {
    JsonNode document = YamlReader.parse(yaml, sourceName);
    boolean old = StoredFormat.take(document, sourceName) || stored;
    return start(old).over(document, sourceName);
  }

  /**
   * These settings with another one.
   *
   * @param path such as {@code ppo.clipRange}
   * @param value a number, a flag, a text, a list, a schedule or null; texts are read as in YAML
   * @param sourceName of the value, for messages
   * @throws ConfigException if no setting has that name; the value is checked by {@link #config}
   */
  public GivenSettings with(String path, @Nullable Object value, String sourceName) {
    return over(at(path, SettingValue.node(value, sourceName + " " + path)), sourceName);
  }

  /** A value as a tree: {@code a.b} and c give {@code {a: {b: c}}}. */
  private static ObjectNode at(String path, JsonNode value) {
    JsonNode node = value;
    String[] names = path.split("\\.", -1);
    for (int i = names.length - 1; i >= 0; i--) {
      node = YamlReader.MAPPER.createObjectNode().set(names[i], node);
    }
    return (ObjectNode) node;
  }

  private GivenSettings over(JsonNode given, String sourceName) {
    ObjectNode changed = tree.deepCopy();
    SettingsOverlay.apply(changed, given, sourceName);
    Set<String> named = new HashSet<>(sections);
    given.fieldNames().forEachRemaining(named::add);
    return new GivenSettings(changed, named, stored);
  }

  /** All settings without the sections of modules that were not named. */
  private ObjectNode complete() {
    ObjectNode copy = tree.deepCopy();
    ExtensionTrees.removeAllBut(sections, copy);
    return copy;
  }

  /**
   * The settings as records.
   *
   * @throws ConfigException if a value is of the wrong type, out of range, or does not go with
   *     another one
   */
  public RunConfig config() {
    RunConfig config = RecordMapper.read(RunConfig.class, complete());
    if (!stored) {
      config.requireTrainable();
    }
    return config;
  }

  /**
   * The value of a setting: a number, a flag, a text, a list or null.
   *
   * @param where the setting was named, in front of its path in messages
   * @throws ConfigException if no setting has that name
   */
  public @Nullable Object get(String where, String path) {
    return SettingValue.of(ConfigDiff.find(where, path, complete()));
  }

  /** The settings that differ from the defaults, in the order of the file. */
  public Map<String, @Nullable Object> changed() {
    Map<String, JsonNode> defaults = ConfigDiff.values(none().complete());
    Map<String, @Nullable Object> changed = new LinkedHashMap<>();
    ConfigDiff.values(complete())
        .forEach(
            (path, value) -> {
              JsonNode before = defaults.get(path);
              if (before == null || !ConfigDiff.written(before).equals(ConfigDiff.written(value))) {
                changed.put(path, SettingValue.of(value));
              }
            });
    return changed;
  }

  /** All settings, defaults included, as YAML. */
  public String toYaml() {
    return YamlConfig.write(complete());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GivenSettings settings
        && ConfigDiff.written(complete()).equals(ConfigDiff.written(settings.complete()));
  }

  @Override
  public int hashCode() {
    return Objects.hash(ConfigDiff.written(complete()));
  }
}
