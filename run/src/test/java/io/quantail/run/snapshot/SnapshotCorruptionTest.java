package io.quantail.run.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CKPT-1")
class SnapshotCorruptionTest {
  private static final int CORRUPTIONS = 600;

  @TempDir Path directory;
  private SnapshotStore store;
  private Path newest;

  @BeforeEach
  void writeTwoSnapshots() {
    store = new SnapshotStore(directory);
    store.write(Samples.state(11), Samples.info(11));
    newest = store.write(Samples.state(12), Samples.info(12)).directory();
  }

  @Test
  void shouldDetectEverySingleByteCorruptionAndUseThePreviousSnapshot() throws IOException {
    long seed = System.nanoTime();
    System.out.println("SnapshotCorruptionTest seed " + seed);
    RandomStream random = RandomStream.of(seed, "corruption", 0);
    List<Path> files =
        List.of(newest.resolve("state.safetensors"), newest.resolve("manifest.json"));
    int detected = 0;
    for (int i = 0; i < CORRUPTIONS; i++) {
      Path file = files.get(i % files.size());
      byte[] good = Files.readAllBytes(file);
      int position = random.nextInt(good.length);
      byte[] bad = good.clone();
      bad[position] ^= (byte) (1 + random.nextInt(255));
      Files.write(file, bad);

      assertThatThrownBy(() -> SnapshotStore.read(newest))
          .as("seed %d: byte %d of %s", seed, position, file)
          .isInstanceOf(SnapshotException.class);
      assertFallsBack();
      detected++;
      Files.write(file, good);
    }
    System.out.println("SnapshotCorruptionTest detected " + detected + " of " + CORRUPTIONS);
    assertThat(store.latest().orElseThrow().problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"state.safetensors", "manifest.json"})
  void shouldDetectEveryTruncation(String name) throws IOException {
    Path file = newest.resolve(name);
    byte[] good = Files.readAllBytes(file);
    for (int length = 0; length < good.length; length++) {
      Files.write(file, Arrays.copyOf(good, length));
      assertFallsBack();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"state.safetensors", "manifest.json"})
  void shouldDetectAMissingFile(String name) throws IOException {
    Files.delete(newest.resolve(name));

    assertFallsBack();
  }

  @Test
  void shouldDetectAFileFromAnotherSnapshot() throws IOException {
    Path other = directory.resolve("update-00000011");
    Files.write(
        newest.resolve("state.safetensors"),
        Files.readAllBytes(other.resolve("state.safetensors")));

    assertFallsBack();
  }

  @Test
  void shouldNameTheFileAndTheDamage() throws IOException {
    Path file = newest.resolve("state.safetensors");
    byte[] bytes = Files.readAllBytes(file);
    bytes[8] = '[';
    Files.write(file, bytes);

    assertThatThrownBy(() -> SnapshotStore.read(newest))
        .isInstanceOf(SnapshotException.class)
        .hasMessage(file + ": malformed safetensors header: the header is no JSON object");
  }

  @Test
  void shouldRefuseAStateThatTheFormatCannotHold() {
    assertThatThrownBy(
            () -> store.write(new StateMap().putLong("__metadata__", 1), Samples.info(13)))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("state.safetensors: the state name __metadata__ is reserved");
    assertThat(store.latest().orElseThrow().directory()).isEqualTo(newest);
  }

  @Test
  void shouldDetectASnapshotUnderAnotherName() throws IOException {
    Path other = directory.resolve("update-00000011");
    for (String name : List.of("state.safetensors", "manifest.json")) {
      Files.write(newest.resolve(name), Files.readAllBytes(other.resolve(name)));
    }

    assertFallsBack();
    assertThat(store.latest().orElseThrow().problems())
        .contains(newest + ": contains update 11; it was renamed");
  }

  @Test
  void shouldDetectEveryCorruptionOfThePointerAndStillFindTheSnapshot() throws IOException {
    Path file = directory.resolve("LATEST");
    byte[] good = Files.readAllBytes(file);
    for (int position = 0; position < good.length; position++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] bad = good.clone();
        bad[position] ^= (byte) (1 << bit);
        Files.write(file, bad);
        assertFindsNewestWithProblem();
      }
      Files.write(file, Arrays.copyOf(good, position));
      assertFindsNewestWithProblem();
    }
    Files.write(file, new byte[5000]);
    assertFindsNewestWithProblem();
    Files.delete(file);
    assertFindsNewestWithProblem();
    Files.createDirectory(file);
    assertFindsNewestWithProblem();
  }

  @Test
  void shouldNotLetADamagedPointerChooseAnOlderSnapshot() throws IOException {
    Path latest = directory.resolve("LATEST");
    Files.writeString(latest, Files.readString(latest).replace("00000012", "00000011"));

    assertFindsNewestWithProblem();
  }

  @Test
  void shouldSayEverythingThatIsWrongWhenNothingIsGood() throws IOException {
    Files.write(newest.resolve("state.safetensors"), new byte[0]);
    Files.delete(directory.resolve("update-00000011").resolve("manifest.json"));

    assertThatThrownBy(() -> store.latest())
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("no snapshot can be read")
        .hasMessageContaining("update-00000012")
        .hasMessageContaining("update-00000011");
  }

  @Test
  void shouldHealWhenTheUpdateIsWrittenAgain() throws IOException {
    Files.write(newest.resolve("state.safetensors"), new byte[0]);

    store.write(Samples.state(12), Samples.info(12));

    Snapshot loaded = store.latest().orElseThrow();
    assertThat(loaded.manifest().info().update()).isEqualTo(12);
    assertThat(loaded.problems()).isEmpty();
    assertThat(newest).doesNotExist();
  }

  private void assertFallsBack() {
    Snapshot loaded = store.latest().orElseThrow();
    assertThat(loaded.manifest().info().update()).isEqualTo(11);
    assertThat(loaded.state().entries()).isEqualTo(Samples.state(11).entries());
    assertThat(loaded.problems()).isNotEmpty();
    assertThat(loaded.problems().get(0)).contains(directory.toString());
  }

  private void assertFindsNewestWithProblem() {
    Snapshot loaded = store.latest().orElseThrow();
    assertThat(loaded.manifest().info().update()).isEqualTo(12);
    assertThat(loaded.problems()).isNotEmpty();
  }
}
