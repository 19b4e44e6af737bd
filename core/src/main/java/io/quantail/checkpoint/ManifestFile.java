package io.quantail.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A manifest with its bytes: indented JSON whose last field is the SHA-256 of every byte before it,
 * so that damage to the manifest shows as surely as damage to the files it lists.
 *
 * <p>The check works on the bytes of the file, not on re-rendered JSON: a later version may format
 * numbers differently and must still read old snapshots.
 */
record ManifestFile(Manifest manifest, byte[] content) {
  static final String NAME = "manifest.json";
  private static final int MAX_BYTES = 1 << 20;
  private static final String END_OF_OBJECT = "\n}";
  private static final int SEAL_LENGTH = seal("").length + 64;

  static ManifestFile of(Manifest manifest) {
    byte[] body = body(manifest);
    byte[] seal = seal(FileDigest.of(body).sha256());
    byte[] content = Arrays.copyOf(body, body.length + seal.length);
    System.arraycopy(seal, 0, content, body.length, seal.length);
    return new ManifestFile(manifest, content);
  }

  static ManifestFile read(Path snapshot) {
    Path file = snapshot.resolve(NAME);
    try (FileSource source = new FileSource(file)) {
      if (source.size() < SEAL_LENGTH || source.size() > MAX_BYTES) {
        throw new SnapshotException(
            file,
            "size must be in [%d, %d] bytes, was %d; the manifest is damaged"
                .formatted(SEAL_LENGTH, MAX_BYTES, source.size()));
      }
      return parse(file, source.read((int) source.size()));
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }

  /** The hash of the whole file, which pointers carry. */
  String sha256() {
    return FileDigest.of(content).sha256();
  }

  private static ManifestFile parse(Path file, byte[] content) {
    byte[] body = Arrays.copyOf(content, content.length - SEAL_LENGTH);
    byte[] seal = Arrays.copyOfRange(content, body.length, content.length);
    if (!Arrays.equals(seal, seal(FileDigest.of(body).sha256()))) {
      throw new SnapshotException(file, "does not match its own sha256; the manifest is damaged");
    }
    try {
      String json = new String(body, StandardCharsets.UTF_8) + END_OF_OBJECT;
      JsonNode root = StrictJson.MAPPER.readTree(json);
      requireVersion(file, root.path("formatVersion"));
      return new ManifestFile(StrictJson.MAPPER.treeToValue(root, Manifest.class), content);
    } catch (JsonProcessingException malformed) {
      throw new SnapshotException(file, "is no manifest of a snapshot", malformed);
    }
  }

  /** Looked at first: a later version may have fields of which this one knows nothing. */
  private static void requireVersion(Path file, JsonNode version) {
    if (!version.isInt() || version.intValue() != Manifest.FORMAT_VERSION) {
      throw new SnapshotException(
          file,
          "snapshot format version must be %d, was %s; use the program version that wrote it"
              .formatted(Manifest.FORMAT_VERSION, version));
    }
  }

  private static byte[] body(Manifest manifest) {
    try {
      String json = StrictJson.INDENTED.writeValueAsString(manifest);
      String open = json.substring(0, json.length() - END_OF_OBJECT.length());
      return open.getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static byte[] seal(String sha256) {
    String line = ",\n  \"manifestSha256\" : \"" + sha256 + "\"" + END_OF_OBJECT + "\n";
    return line.getBytes(StandardCharsets.UTF_8);
  }
}
