package io.quantail.run.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingRules;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads and writes {@link RunConfig} as strict YAML.
 *
 * <p>The settings in force are the defaults, overlaid by the file, overlaid by {@code path=value}
 * overrides in their order. A setting that is misspelt, of the wrong type or out of range is
 * refused with a {@link ConfigException}; nothing is ignored or clamped. {@code YamlConfigTest}
 * pins the messages, {@code ConfigRoundTripTest} that a written configuration reads back equal.
 */
public final class YamlConfig {
  /** Name of the format number at the top of stored settings; it is not a setting. */
  public static final String FORMAT = "format";

  private static final String OVERRIDES = "--set";

  private YamlConfig() {}

  public static RunConfig defaults() {
    return RunConfig.defaults();
  }

  /** The settings of a file with overrides such as {@code ppo.clipRange=0.1} on top. */
  public static RunConfig load(Path file, List<String> overrides) {
    return parse(read(file), String.valueOf(file.getFileName()), overrides);
  }

  /** The settings of a YAML text; {@code sourceName} stands for it in messages. */
  public static RunConfig parse(String yaml, String sourceName, List<String> overrides) {
    GivenSettings settings = GivenSettings.parse(yaml, sourceName);
    for (String override : overrides) {
      settings = with(settings, override);
    }
    return settings.config();
  }

  /**
   * The settings that a run, sweep, walk-forward or population stored. Where an older build did not
   * have a setting yet, {@link io.quantail.config.SettingRule#before} counts, not the default.
   */
  public static RunConfig loadStored(Path file) {
    return parseStored(read(file), String.valueOf(file.getFileName()));
  }

  /** The settings of a stored text; {@code sourceName} stands for it in messages. */
  public static RunConfig parseStored(String yaml, String sourceName) {
    return GivenSettings.parse(yaml, sourceName, true).config();
  }

  /** All settings, defaults included, as YAML that {@link #parse} turns into an equal record. */
  public static String toYaml(RunConfig config) {
    return write(toTree(config));
  }

  /** The content of the {@code config.yaml} of a run: the format number and all settings. */
  public static String toStoredYaml(RunConfig config) {
    ObjectNode tree = YamlReader.MAPPER.createObjectNode().put(FORMAT, SettingRules.FORMAT);
    return write(tree.setAll(toTree(config)));
  }

  static String write(JsonNode tree) {
    try {
      return YamlReader.MAPPER.writeValueAsString(tree);
    } catch (JsonProcessingException exception) {
      throw new IllegalStateException("a tree of scalars is always writable", exception);
    }
  }

  /** All settings, defaults included, as a tree with the names and nesting of the YAML file. */
  public static ObjectNode toTree(RunConfig config) {
    return RecordMapper.write(config);
  }

  /** Adds an override such as {@code a.b=c}. */
  private static GivenSettings with(GivenSettings settings, String override) {
    int equals = override.indexOf('=');
    String path = equals < 0 ? "" : override.substring(0, equals).strip();
    if (path.isEmpty()) {
      throw new ConfigException(
          "%s needs path=value, for example ppo.clipRange=0.1, was \"%s\""
              .formatted(OVERRIDES, override));
    }
    return settings.with(path, override.substring(equals + 1), OVERRIDES);
  }

  static String read(Path file) {
    if (!Files.exists(file)) {
      throw new ConfigException("configuration file " + file + " does not exist");
    }
    if (Files.isDirectory(file)) {
      throw new ConfigException("configuration file " + file + " is a directory");
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException exception) {
      throw new ConfigException("configuration file " + file + " is not UTF-8 text");
    } catch (IOException exception) {
      throw new ConfigException(
          "configuration file " + file + " cannot be read: " + exception.getMessage());
    }
  }
}
