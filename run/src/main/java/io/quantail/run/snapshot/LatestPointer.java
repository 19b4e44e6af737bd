package io.quantail.run.snapshot;

import io.quantail.io.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The content of the file {@code LATEST}: the name of a snapshot and the SHA-256 of its manifest,
 * so that a damaged pointer is never taken for a pointer to another snapshot.
 */
record LatestPointer(SnapshotName name, String manifestSha256) {
  static final String FILE = "LATEST";
  private static final int MAX_BYTES = 256;

  byte[] render() {
    return (name + " " + manifestSha256 + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the pointer; empty if there is no such file. */
  static Optional<LatestPointer> read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new SnapshotException(
            file, "must have at most %d bytes; the pointer is damaged".formatted(MAX_BYTES));
      }
      return Optional.of(parse(file, Files.readString(file, StandardCharsets.ISO_8859_1)));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }

  private static LatestPointer parse(Path file, String content) {
    String[] parts = content.split(" ", -1);
    Optional<SnapshotName> name = SnapshotName.parse(parts[0]);
    if (parts.length == 2 && name.isPresent() && parts[1].matches(Sha256.HEX_PATTERN + "\n")) {
      return new LatestPointer(name.get(), parts[1].strip());
    }
    throw new SnapshotException(
        file, "must contain a snapshot's name and hash; the pointer is damaged");
  }
}
