package io.quantail.run.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.config.RunConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which settings bind a run to its snapshots, and which may change when it goes on: those that say
 * how long, with how much of the machine and with how much patience to train, how to evaluate, and
 * what to be warned of.
 */
public final class ConfigDiff {
  /** These say how fast and how safely to compute and what to measure, not what is learnt. */
  public static final List<String> NEUTRAL =
      List.of("training.threads", "training.snapshotUpdates", "training.measuredShare");

  private static final List<String> FREE =
      List.of("training.", "evaluation.", "environment.faults.", "health.");

  private ConfigDiff() {}

  /**
   * A setting that is not what it was.
   *
   * @param path its name
   * @param before its value when the run began
   * @param now its value in {@code config.yaml}
   * @param allowed whether the run may go on
   */
  public record Change(String path, String before, String now, boolean allowed) {
    @Override
    public String toString() {
      return path + " is " + now + ", was " + before;
    }
  }

  /** A hash of all settings that must stay as they are. */
  public static String hash(RunConfig config) {
    Map<String, String> binding = flat(config);
    binding.keySet().removeIf(ConfigDiff::free);
    try {
      byte[] text = new ObjectMapper().writeValueAsString(binding).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (JsonProcessingException | NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** What has changed since a run began with the given settings. */
  public static List<Change> changes(JsonNode before, RunConfig now) {
    Map<String, String> old = flat(before);
    Map<String, String> present = flat(now);
    TreeSet<String> paths = new TreeSet<>(old.keySet());
    paths.addAll(present.keySet());
    List<Change> changes = new ArrayList<>();
    for (String path : paths) {
      String was = old.getOrDefault(path, "missing");
      String is = present.getOrDefault(path, "missing");
      if (!was.equals(is)) {
        changes.add(new Change(path, was, is, free(path)));
      }
    }
    return changes;
  }

  private static boolean free(String path) {
    return FREE.stream().anyMatch(path::startsWith);
  }

  /** Each setting by its path; numbers as they are written, without zeros at their end. */
  public static Map<String, String> flat(RunConfig config) {
    return flat(YamlConfig.toTree(config));
  }

  private static Map<String, String> flat(JsonNode tree) {
    Map<String, String> settings = new TreeMap<>();
    values(tree).forEach((path, value) -> settings.put(path, written(value)));
    return settings;
  }

  /** The value of each setting by its path, in the order of the tree. */
  public static Map<String, JsonNode> values(JsonNode tree) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    collect(tree, "", values);
    return values;
  }

  private static void collect(JsonNode node, String prefix, Map<String, JsonNode> values) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getValue().isObject()) {
        collect(field.getValue(), prefix + field.getKey() + ".", values);
      } else {
        values.put(prefix + field.getKey(), field.getValue());
      }
    }
  }

  private static String written(JsonNode value) {
    if (value.isNumber()) {
      return value.decimalValue().stripTrailingZeros().toPlainString();
    }
    return value.isArray() ? value.toString() : value.asText();
  }
}
