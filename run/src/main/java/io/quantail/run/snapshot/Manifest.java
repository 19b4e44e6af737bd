package io.quantail.run.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.io.Sha256;
import io.quantail.run.io.FileDigest;
import io.quantail.run.io.Json;
import io.quantail.state.HashedFileReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The file {@code manifest.json} of a snapshot: where the snapshot comes from, and size and hash of
 * its files.
 *
 * <p>It is indented JSON whose last field is the SHA-256 of every byte before it, so that damage to
 * the manifest is detected like damage to the files it lists. The check works on the bytes of the
 * file, not on JSON that was parsed and written again: a later version may format numbers
 * differently and must still read old snapshots.
 *
 * <p>Format {@value #FORMAT_VERSION} is written. Formats 1 and 2, which have no field {@code logs},
 * are read; format 1 also has a field {@code info.score}, which is ignored.
 *
 * @param info where the snapshot comes from
 * @param files size and hash of each file, by file name
 * @param logs size and hash of what files of the run contained when the snapshot was written, by
 *     name; empty in older formats
 * @param sha256 hash of the whole manifest file
 */
public record Manifest(
    SnapshotInfo info, Map<String, FileDigest> files, Map<String, FileDigest> logs, String sha256) {
  static final String FILE = "manifest.json";
  static final int FORMAT_VERSION = 3;
  private static final int FORMAT_WITH_SCORE = 1;
  private static final int FORMAT_WITH_LOGS = 3;
  private static final int MAX_BYTES = 1 << 20;
  private static final String END_OF_OBJECT = "\n}";
  private static final int SEAL_LENGTH = seal("").length + 64;
  private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

  /** Writes the same line ends on every platform. */
  private static final ObjectWriter INDENTED =
      Json.STRICT.writer(
          new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER));

  public Manifest {
    files = Collections.unmodifiableMap(new TreeMap<>(files));
    logs = Collections.unmodifiableMap(new TreeMap<>(logs));
  }

  /** The fields of the file in their order, without the hash at its end. */
  private record Fields(
      int formatVersion,
      SnapshotInfo info,
      Map<String, FileDigest> files,
      Map<String, FileDigest> logs) {
    private Fields {
      Objects.requireNonNull(info, "info");
      Objects.requireNonNull(files, "files");
      Objects.requireNonNull(logs, "logs");
    }
  }

  /** Returns the bytes of a manifest file. */
  static byte[] encode(
      SnapshotInfo info, Map<String, FileDigest> files, Map<String, FileDigest> logs) {
    byte[] body = body(new Fields(FORMAT_VERSION, info, new TreeMap<>(files), new TreeMap<>(logs)));
    byte[] seal = seal(Sha256.hex(body));
    byte[] content = Arrays.copyOf(body, body.length + seal.length);
    System.arraycopy(seal, 0, content, body.length, seal.length);
    return content;
  }

  /**
   * Reads the manifest of a snapshot.
   *
   * @throws SnapshotException if it cannot be read or is damaged
   */
  static Manifest read(Path snapshot) {
    Path file = snapshot.resolve(FILE);
    try (HashedFileReader reader = new HashedFileReader(file)) {
      if (reader.size() < SEAL_LENGTH || reader.size() > MAX_BYTES) {
        throw new SnapshotException(
            file,
            String.format(
                Locale.ROOT,
                "size must be in [%d, %d] bytes, was %d; the manifest is damaged",
                SEAL_LENGTH,
                MAX_BYTES,
                reader.size()));
      }
      return parse(file, reader.read((int) reader.size()));
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }

  /** Parses the bytes of a manifest file; the file is named in messages only. */
  static Manifest parse(Path file, byte[] content) {
    byte[] body = Arrays.copyOf(content, content.length - SEAL_LENGTH);
    byte[] seal = Arrays.copyOfRange(content, body.length, content.length);
    if (!Arrays.equals(seal, seal(Sha256.hex(body)))) {
      throw new SnapshotException(file, "does not match its own sha256; the manifest is damaged");
    }
    try {
      String json = new String(body, StandardCharsets.UTF_8) + END_OF_OBJECT;
      JsonNode root = Json.STRICT.readTree(json);
      requireKnownVersion(file, root.path("formatVersion"));
      if (root.path("formatVersion").intValue() == FORMAT_WITH_SCORE
          && root.path("info") instanceof ObjectNode info) {
        info.remove("score");
      }
      if (root.path("formatVersion").intValue() < FORMAT_WITH_LOGS && !root.has("logs")) {
        ((ObjectNode) root).putObject("logs");
      }
      Fields fields = Json.STRICT.treeToValue(root, Fields.class);
      return new Manifest(fields.info(), fields.files(), fields.logs(), Sha256.hex(content));
    } catch (JsonProcessingException malformed) {
      throw new SnapshotException(file, "is no manifest of a snapshot", malformed);
    }
  }

  /** Checked first: a later version may have fields that are unknown here. */
  private static void requireKnownVersion(Path file, JsonNode version) {
    if (!version.isInt()
        || version.intValue() < FORMAT_WITH_SCORE
        || version.intValue() > FORMAT_VERSION) {
      throw new SnapshotException(
          file,
          String.format(
              Locale.ROOT,
              "snapshot format version must be %d to %d, was %s; use the program version that wrote"
                  + " it",
              FORMAT_WITH_SCORE,
              FORMAT_VERSION,
              version));
    }
  }

  private static byte[] body(Fields fields) {
    try {
      String json = INDENTED.writeValueAsString(fields);
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
