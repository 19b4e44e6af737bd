package io.quantail.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The table of contents of a snapshot, kept as {@code manifest.json} beside its files.
 *
 * @param formatVersion of the snapshot directory; this program writes and reads {@value
 *     #FORMAT_VERSION}
 * @param info where the snapshot comes from
 * @param files size and hash of each file, by file name
 */
public record Manifest(int formatVersion, SnapshotInfo info, Map<String, FileDigest> files) {
  public static final int FORMAT_VERSION = 1;

  public Manifest {
    if (formatVersion != FORMAT_VERSION) {
      throw new IllegalArgumentException(
          "formatVersion must be " + FORMAT_VERSION + ", was " + formatVersion);
    }
    Objects.requireNonNull(info, "info");
    files = Collections.unmodifiableMap(new TreeMap<>(files));
  }
}
