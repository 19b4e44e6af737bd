package io.quantail.run;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run with whose agent a training started; the field {@code ancestors} of {@code run.json}.
 *
 * @param run its directory, absolute
 * @param snapshot SHA-256 of the manifest of the snapshot whose agent was taken; the manifest holds
 *     the hashes of the weights
 * @param update of the snapshot
 * @param steps of the snapshot
 * @param configHash of the settings of the run, see {@link ConfigDiff#hash}
 * @param data fingerprint of the data of the run; null if it had none
 */
public record Ancestor(
    String run,
    String snapshot,
    long update,
    long steps,
    String configHash,
    @Nullable String data) {
  static final String FIELD = "ancestors";

  /**
   * Returns the ancestors of a training that starts with the agent of a run.
   *
   * @param parent the run
   * @return the run, then its own ancestors
   */
  static List<Ancestor> of(RunReader parent) {
    Snapshot snapshot = parent.snapshot();
    SnapshotInfo info = snapshot.manifest().info();
    List<Ancestor> line = new ArrayList<>();
    line.add(
        new Ancestor(
            parent.directory().toAbsolutePath().normalize().toString(),
            snapshot.manifest().sha256(),
            info.update(),
            info.steps(),
            ConfigDiff.hash(parent.config()),
            info.dataFingerprint()));
    line.addAll(read(parent.directory()));
    return List.copyOf(line);
  }

  /**
   * Reads the ancestors of a run.
   *
   * @param run directory of the run
   * @return its ancestors, the nearest first; empty if its training started with new weights, or if
   *     its {@code run.json} cannot be read
   */
  public static List<Ancestor> read(Path run) {
    try {
      JsonNode stored = Json.MAPPER.readTree(run.resolve(RunLayout.RUN).toFile()).path(FIELD);
      return stored.isArray()
          ? List.copyOf(Json.MAPPER.convertValue(stored, new TypeReference<List<Ancestor>>() {}))
          : List.of();
    } catch (IOException | IllegalArgumentException unreadable) {
      return List.of();
    }
  }
}
