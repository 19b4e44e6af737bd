package io.quantail.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares settings, data and versions of a run with those of the snapshot it resumes from. */
public final class ResumeCheck {
  private static final String MAY_DIFFER = "results may differ from those of an undisturbed run";

  private ResumeCheck() {}

  /**
   * Refuses settings that lead to other numbers than those of the snapshot.
   *
   * @param directory of the run
   * @param config its present settings
   * @param snapshot from which the run resumes
   * @return the settings that have changed and may
   * @throws ConfigException if another setting has changed
   */
  public static List<ConfigDiff.Change> requireSameConfig(
      Path directory, RunConfig config, Snapshot snapshot) {
    List<ConfigDiff.Change> changes =
        ConfigDiff.changes(settingsAtStart(directory.resolve(RunLayout.RUN)), config);
    if (!ConfigDiff.isResumeHash(snapshot.manifest().info().configHash(), config)) {
      List<String> refused =
          changes.stream().filter(change -> !change.allowed()).map(Object::toString).toList();
      throw new ConfigException(
          "%s has been changed since the snapshot was written%s; restore it, or start a new run"
              .formatted(
                  directory.resolve(RunLayout.CONFIG),
                  refused.isEmpty() ? "" : ": " + String.join("; ", refused)));
    }
    return changes.stream().filter(ConfigDiff.Change::allowed).toList();
  }

  /** The settings at the start of the run; missing if the file cannot be read. */
  private static JsonNode settingsAtStart(Path file) {
    try {
      return Json.MAPPER.readTree(file.toFile()).path("settings");
    } catch (IOException unreadable) {
      return MissingNode.getInstance();
    }
  }

  /**
   * Refuses data other than those of the snapshot.
   *
   * @param directory of the run
   * @param fingerprint of the present data; null if there are none
   * @param snapshot from which the run resumes
   * @throws DataChangedException if the fingerprints differ
   */
  public static void requireSameData(
      Path directory, @Nullable String fingerprint, Snapshot snapshot) {
    String before = snapshot.manifest().info().dataFingerprint();
    if (!Objects.equals(before, fingerprint)) {
      throw new DataChangedException(
          "the data of the run %s have changed: their fingerprint is %s, in the snapshot it is %s;"
                  .formatted(directory, fingerprint, before)
              + " restore the old data, or start a new run");
    }
  }

  /**
   * Compares the versions of program, Java and platform with those that wrote the snapshot.
   *
   * @param snapshot from which the run resumes
   * @return one line for each version that differs
   */
  public static List<String> otherVersions(Snapshot snapshot) {
    Map<String, String> before = new TreeMap<>(snapshot.manifest().info().libraryVersions());
    List<String> differences = new ArrayList<>();
    Versions.all()
        .forEach(
            (name, now) -> {
              String was = before.remove(name);
              if (!now.equals(was)) {
                differences.add(
                    "the snapshot was written with %s %s, this is %s; %s"
                        .formatted(name, was == null ? "unknown" : was, now, MAY_DIFFER));
              }
            });
    if (!before.isEmpty()) {
      String gone =
          before.entrySet().stream()
              .map(version -> version.getKey() + " " + version.getValue())
              .collect(Collectors.joining(", "));
      differences.add(
          "the snapshot was written with %s, which this version does not use; %s"
              .formatted(gone, MAY_DIFFER));
    }
    return differences;
  }
}
