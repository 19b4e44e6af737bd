package io.quantail.run.snapshot;

import io.quantail.io.Sha256;
import io.quantail.run.io.FileDigest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file {@code clock.sha256} of a snapshot: size and hash of the run's times when the snapshot
 * was written. It is not in the manifest, so that equal runs have equal manifests.
 */
final class ClockDigest {
  static final String FILE = "clock.sha256";

  private static final int MAX_BYTES = 128;

  private ClockDigest() {}

  static byte[] encode(FileDigest digest) {
    return (digest.sha256() + " " + digest.size() + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads the file of a snapshot; empty if there is none or it is damaged. */
  static Optional<FileDigest> read(Path snapshot) {
    Path file = snapshot.resolve(FILE);
    try {
      if (Files.notExists(file) || Files.size(file) > MAX_BYTES) {
        return Optional.empty();
      }
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      if (!text.matches(Sha256.HEX_PATTERN + " [0-9]{1,18}\n")) {
        return Optional.empty();
      }
      String[] parts = text.strip().split(" ");
      return Optional.of(new FileDigest(Long.parseLong(parts[1]), parts[0]));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
