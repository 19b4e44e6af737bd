package io.quantail.run.snapshot;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Origin of a snapshot, which its manifest records.
 *
 * @param update number of updates done, 0 or more
 * @param steps number of environment steps done, 0 or more
 * @param configHash hash of the settings that a resumed run must not change
 * @param dataFingerprint of the market data, or null if the run uses none
 * @param libraryVersions by library name
 */
public record SnapshotInfo(
    long update,
    long steps,
    String configHash,
    @Nullable String dataFingerprint,
    Map<String, String> libraryVersions) {
  /** Keeps directory names within 18 digits. */
  private static final long MAX_COUNT = 999_999_999_999_999_999L;

  public SnapshotInfo {
    requireCount("update", update);
    requireCount("steps", steps);
    Objects.requireNonNull(configHash, "configHash");
    // Sorted, so that equal maps give equal manifests.
    libraryVersions = Collections.unmodifiableMap(new TreeMap<>(libraryVersions));
  }

  private static void requireCount(String name, long value) {
    if (value < 0 || value > MAX_COUNT) {
      throw new IllegalArgumentException(name + " must be in [0, " + MAX_COUNT + "], was " + value);
    }
  }
}
