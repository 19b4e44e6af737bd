package io.quantail.run.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.io.Sha256;
import io.quantail.run.io.FileDigest;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("CKPT-1")
class ManifestTest {
  private static final FileDigest DIGEST = new FileDigest(3, "ab".repeat(32));

  private static final FileDigest LOG = new FileDigest(5, "cd".repeat(32));

  @TempDir Path snapshot;

  @Test
  void shouldBePlainJsonThatAnyProgramReads() throws IOException {
    write(content(Samples.info(12)));

    JsonNode json = new ObjectMapper().readTree(file().toFile());

    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("formatVersion", "info", "files", "logs", "manifestSha256");
    assertThat(json.at("/info/update").longValue()).isEqualTo(12);
    assertThat(json.at("/info/steps").longValue()).isEqualTo(12 * 1024);
    assertThat(json.get("formatVersion").intValue()).isEqualTo(3);
    assertThat(json.get("info").has("score")).isFalse();
    assertThat(json.at("/info/configHash").textValue()).isEqualTo("c0ffee");
    assertThat(json.at("/info/dataFingerprint").textValue()).isEqualTo("data-7");
    assertThat(json.at("/info/libraryVersions/quantail").textValue()).isEqualTo("2.10.0");
    assertThat(json.at("/files/state.safetensors/size").longValue()).isEqualTo(3);
  }

  @Test
  void shouldReadBackWhatWasWritten() throws IOException {
    SnapshotInfo bare = new SnapshotInfo(0, 0, "c", null, Map.of());
    for (SnapshotInfo info : List.of(Samples.info(12), bare)) {
      byte[] content = content(info);
      write(content);

      Manifest manifest = Manifest.read(snapshot);

      assertThat(manifest.info()).isEqualTo(info);
      assertThat(manifest.files()).isEqualTo(Map.of("state.safetensors", DIGEST));
      assertThat(manifest.logs()).isEqualTo(Map.of("metrics.csv", LOG));
      assertThat(manifest.sha256()).isEqualTo(Sha256.hex(content));
    }
  }

  @Test
  void shouldReadTheFormerFormatWithAScore() throws IOException {
    try (InputStream stored = ManifestTest.class.getResourceAsStream("manifest-format-1.json")) {
      write(stored.readAllBytes());
    }

    Manifest manifest = Manifest.read(snapshot);

    assertThat(manifest.info()).isEqualTo(Samples.info(12));
    assertThat(manifest.files()).isEqualTo(Map.of("state.safetensors", DIGEST));
  }

  @Test
  void shouldReadTheFormerFormatWithoutLogs() throws IOException {
    String text = new String(content(Samples.info(12)), StandardCharsets.UTF_8);
    String body =
        text.substring(0, text.indexOf(",\n  \"logs\""))
            .replace("\"formatVersion\" : 3", "\"formatVersion\" : 2");
    String hash = Sha256.hex(body);
    write(
        (body + ",\n  \"manifestSha256\" : \"" + hash + "\"\n}\n")
            .getBytes(StandardCharsets.UTF_8));

    Manifest manifest = Manifest.read(snapshot);

    assertThat(manifest.info()).isEqualTo(Samples.info(12));
    assertThat(manifest.logs()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'formatVersion' : 3    | 'formatVersion' : 4          | format version must be 1 to 3, was"
            + " 4",
        "'formatVersion' : 3    | 'formatVersion' : 4, 'x' : 1 | format version must be 1 to 3, was"
            + " 4",
        "'formatVersion' : 3    | 'other' : 1                  | format version must be 1 to 3,"
            + " was",
        "'formatVersion' : 3    | 'formatVersion' : 2.0        | format version must be 1 to 3,"
            + " was",
        "'steps' : 12288        | 'steps' : 12288, 'x' : 1     | Unrecognized",
        "'steps' : 12288,       | \"\"                         | Missing creator property",
        "'steps' : 12288        | 'steps' : null               | null",
        "'steps' : 12288        | 'steps' : '12288'            | Cannot coerce",
        "'steps' : 12288        | 'steps' : 12288.5            | Cannot coerce",
        "'steps' : 12288        | 'steps' : -1                 | steps must be in [0, ",
        "'steps' : 12288        | 'steps' : 1, 'steps' : 1     | Duplicate field",
        "'steps' : 12288        | 'steps' : 12288, 'score' : 1 | Unrecognized",
        "'configHash' : 'c0ffee'| 'configHash' : null          | configHash",
        "'size' : 3             | 'size' : -3                  | size must be 0 or more",
        "'logs'                 | 'journals'                   | Missing creator property",
        "abab                   | xbab                         | 64 lower-case hexadecimal",
      })
  void shouldRefuseASealedManifestWithOtherContent(String from, String to, String reason)
      throws IOException {
    String text = new String(content(Samples.info(12)), StandardCharsets.UTF_8);
    String body = text.substring(0, text.indexOf(",\n  \"manifestSha256\""));
    String changed = body.replace(from.replace('\'', '"'), to.replace('\'', '"'));
    assertThat(changed).isNotEqualTo(body);
    String hash = Sha256.hex(changed);
    write(
        (changed + ",\n  \"manifestSha256\" : \"" + hash + "\"\n}\n")
            .getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> Manifest.read(snapshot))
        .isInstanceOf(SnapshotException.class)
        .hasMessageStartingWith(file().toString())
        .hasMessageContaining(reason);
  }

  @Test
  void shouldRefuseFilesOfAbsurdSize() throws IOException {
    write(new byte[(1 << 20) + 1]);

    assertThatThrownBy(() -> Manifest.read(snapshot))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("size must be in");
  }

  @Test
  void shouldRefuseASnapshotThatListsOtherFiles() throws IOException {
    write(Manifest.encode(Samples.info(1), Map.of("../../secret", DIGEST), Map.of()));

    assertThatThrownBy(() -> SnapshotStore.read(snapshot))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("must list state.safetensors alone, lists [../../secret]");
  }

  @Test
  void shouldRefuseImpossibleCounters() {
    assertThatThrownBy(() -> Samples.info(-1)).hasMessageContaining("update must be in [0, ");
    assertThatThrownBy(() -> Samples.info(Long.MAX_VALUE)).hasMessageContaining("update must be");
  }

  private static byte[] content(SnapshotInfo info) {
    return Manifest.encode(info, Map.of("state.safetensors", DIGEST), Map.of("metrics.csv", LOG));
  }

  private Path file() {
    return snapshot.resolve("manifest.json");
  }

  private void write(byte[] content) throws IOException {
    Files.write(file(), content);
  }
}
