package io.quantail.run.snapshot;

import io.quantail.io.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The content of the files {@code LATEST} and {@code KEPT}: the name of a snapshot and the SHA-256
 * of its manifest, so that a damaged pointer is never taken for a pointer to another snapshot.
 */
record SnapshotPointer(SnapshotName name, String manifestSha256) {
  /** Names the snapshot from which a run resumes. */
  static final String LATEST = "LATEST";

  /** Names a snapshot that is not deleted with the old ones. */
  static final String KEPT = "KEPT";

  private static final int MAX_BYTES = 256;

  byte[] render() {
    return (name + " " + manifestSha256 + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the pointer; empty if there is no such file. */
  static Optional<SnapshotPointer> read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new SnapshotException(
            file,
            String.format(
                Locale.ROOT, "must have at most %d bytes; the pointer is damaged", MAX_BYTES));
      }
      return Optional.of(parse(file, Files.readString(file, StandardCharsets.ISO_8859_1)));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }

  private static SnapshotPointer parse(Path file, String content) {
    String[] parts = content.split(" ", -1);
    Optional<SnapshotName> name = SnapshotName.parse(parts[0]);
    if (parts.length == 2 && name.isPresent() && parts[1].matches(Sha256.HEX_PATTERN + "\n")) {
      return new SnapshotPointer(name.get(), parts[1].strip());
    }
    throw new SnapshotException(
        file, "must contain a snapshot's name and hash; the pointer is damaged");
  }
}
