package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import io.quantail.io.Sha256;
import io.quantail.run.settings.ConfigDiff;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the settings of runs. Files that differ in the seed alone are parsed once: a parser of YAML
 * needs longer than all other files of the list together. Safe for use by several threads.
 */
final class SettingsCache {
  private static final Pattern SEED = Pattern.compile("(?m)^seed: *(-?\\d+) *$");
  private static final int MOST_KNOWN = 10_000;

  private final Map<String, RunSettings> known = new ConcurrentHashMap<>();
  private final Map<String, Map<String, String>> defaults = new ConcurrentHashMap<>();

  /** The settings of a run and its seed, in which many runs with equal settings differ. */
  record Seeded(RunSettings settings, String seed) {}

  Seeded of(RunFiles folder) {
    String text = new String(folder.bytes(RunFiles.CONFIG), StandardCharsets.UTF_8);
    Matcher seed = SEED.matcher(text);
    if (!seed.find()) {
      JsonNode tree = folder.settings();
      return new Seeded(parsed(tree), tree.path("seed").asText(""));
    }
    String hash = Sha256.hex(seed.replaceFirst(""));
    RunSettings settings = known.get(hash);
    if (settings == null) {
      settings = parsed(folder.settings());
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(hash, settings);
    }
    return new Seeded(settings, seed.group(1));
  }

  private RunSettings parsed(JsonNode tree) {
    return RunSettings.of(tree, tree.isObject() ? defaults(tree) : Map.of());
  }

  /** The defaults of the sections that the settings of a run have. */
  private Map<String, String> defaults(JsonNode tree) {
    StringBuilder sections = new StringBuilder();
    tree.fieldNames().forEachRemaining(name -> sections.append(name).append('\n'));
    return defaults.computeIfAbsent(
        sections.toString(),
        names -> {
          try {
            return ConfigDiff.defaults(tree);
          } catch (ConfigException unknownSection) {
            return Map.of(); // made by another build; every setting counts as changed
          }
        });
  }
}
