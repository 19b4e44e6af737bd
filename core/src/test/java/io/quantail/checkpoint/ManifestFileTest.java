package io.quantail.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CKPT-1")
class ManifestFileTest {
  private static final FileDigest DIGEST = new FileDigest(3, "ab".repeat(32));

  @TempDir Path snapshot;

  @Test
  void shouldBePlainJsonThatAnyProgramReads() throws IOException {
    write(ManifestFile.of(manifest(0.25)).content());

    JsonNode json = new ObjectMapper().readTree(file().toFile());

    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("formatVersion", "info", "files", "manifestSha256");
    assertThat(json.at("/info/update").longValue()).isEqualTo(12);
    assertThat(json.at("/info/steps").longValue()).isEqualTo(12 * 1024);
    assertThat(json.at("/info/score").doubleValue()).isEqualTo(0.25);
    assertThat(json.at("/info/configHash").textValue()).isEqualTo("c0ffee");
    assertThat(json.at("/info/dataFingerprint").textValue()).isEqualTo("data-7");
    assertThat(json.at("/info/libraryVersions/quantail").textValue()).isEqualTo("2.10.0");
    assertThat(json.at("/files/state.safetensors/size").longValue()).isEqualTo(3);
  }

  @Test
  void shouldReadBackNullsAndExtremeScores() throws IOException {
    for (Double score : new Double[] {null, Double.MIN_VALUE, -Double.MAX_VALUE, 0.1, -0.0}) {
      write(ManifestFile.of(manifest(score)).content());
      assertThat(ManifestFile.read(snapshot).manifest()).isEqualTo(manifest(score));
    }
    SnapshotInfo bare = new SnapshotInfo(0, 0, null, "c", null, Map.of());
    Manifest manifest = new Manifest(1, bare, Map.of("state.safetensors", DIGEST));
    write(ManifestFile.of(manifest).content());
    assertThat(ManifestFile.read(snapshot).manifest()).isEqualTo(manifest);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'formatVersion' : 1    | 'formatVersion' : 2          | format version must be 1, was 2",
        "'formatVersion' : 1    | 'formatVersion' : 2, 'x' : 1 | format version must be 1, was 2",
        "'formatVersion' : 1    | 'other' : 1                  | format version must be 1, was",
        "'formatVersion' : 1    | 'formatVersion' : 1.0        | format version must be 1, was",
        "'steps' : 12288        | 'steps' : 12288, 'x' : 1     | Unrecognized",
        "'steps' : 12288,       | \"\"                         | Missing creator property",
        "'steps' : 12288        | 'steps' : null               | null",
        "'steps' : 12288        | 'steps' : '12288'            | Cannot coerce",
        "'steps' : 12288        | 'steps' : 12288.5            | Cannot coerce",
        "'steps' : 12288        | 'steps' : -1                 | steps must be in [0, ",
        "'steps' : 12288        | 'steps' : 1, 'steps' : 1     | Duplicate field",
        "'score' : 0.25         | 'score' : 1e999              | score must be finite",
        "'configHash' : 'c0ffee'| 'configHash' : null          | configHash",
        "'size' : 3             | 'size' : -3                  | size must be 0 or more",
        "abab                   | xbab                         | 64 lower-case hexadecimal",
      })
  void shouldRefuseASealedManifestWithOtherContent(String from, String to, String reason)
      throws IOException {
    String text = new String(ManifestFile.of(manifest(0.25)).content(), StandardCharsets.UTF_8);
    String body = text.substring(0, text.indexOf(",\n  \"manifestSha256\""));
    String changed = body.replace(from.replace('\'', '"'), to.replace('\'', '"'));
    assertThat(changed).isNotEqualTo(body);
    String hash = FileDigest.of(changed.getBytes(StandardCharsets.UTF_8)).sha256();
    write(
        (changed + ",\n  \"manifestSha256\" : \"" + hash + "\"\n}\n")
            .getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> ManifestFile.read(snapshot))
        .isInstanceOf(SnapshotException.class)
        .hasMessageStartingWith(file().toString())
        .hasMessageContaining(reason);
  }

  @Test
  void shouldRefuseFilesOfAbsurdSize() throws IOException {
    write(new byte[(1 << 20) + 1]);

    assertThatThrownBy(() -> ManifestFile.read(snapshot))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("size must be in");
  }

  @Test
  void shouldRefuseASnapshotThatListsOtherFiles() throws IOException {
    Manifest manifest = new Manifest(1, Samples.info(1), Map.of("../../secret", DIGEST));
    write(ManifestFile.of(manifest).content());

    assertThatThrownBy(() -> SnapshotStore.read(snapshot))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("must list state.safetensors alone, lists [../../secret]");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void shouldRefuseScoresThatCannotBeCompared(double score) {
    assertThatThrownBy(() -> Samples.scored(1, score))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("score must be finite or null, was " + score);
  }

  @Test
  void shouldRefuseImpossibleCountersAndVersions() {
    assertThatThrownBy(() -> Samples.info(-1)).hasMessageContaining("update must be in [0, ");
    assertThatThrownBy(() -> Samples.info(Long.MAX_VALUE)).hasMessageContaining("update must be");
    assertThatThrownBy(() -> new Manifest(2, Samples.info(1), Map.of()))
        .hasMessage("formatVersion must be 1, was 2");
  }

  private static Manifest manifest(Double score) {
    return new Manifest(1, Samples.scored(12, score), Map.of("state.safetensors", DIGEST));
  }

  private Path file() {
    return snapshot.resolve("manifest.json");
  }

  private void write(byte[] content) throws IOException {
    Files.write(file(), content);
  }
}
