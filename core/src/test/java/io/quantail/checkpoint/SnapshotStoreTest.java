package io.quantail.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("CKPT-1")
class SnapshotStoreTest {
  @TempDir Path parent;

  @Test
  void shouldGiveBackWhatWasWritten() {
    Saved saved = store(2).write(Samples.state(3), Samples.scored(3, 1.25));

    Loaded loaded = store(2).latest().orElseThrow();

    assertThat(saved.snapshot()).isEqualTo(directory().resolve("update-00000003"));
    assertThat(saved.problems()).isEmpty();
    assertThat(loaded.state().entries()).isEqualTo(Samples.state(3).entries());
    assertThat(loaded.state().names()).isEqualTo(Samples.state(3).names());
    assertThat(loaded.manifest().info()).isEqualTo(Samples.scored(3, 1.25));
    assertThat(loaded.problems()).isEmpty();
    assertThat(SnapshotStore.read(saved.snapshot()).manifest()).isEqualTo(loaded.manifest());
  }

  @Test
  void shouldBeEmptyBeforeTheFirstWrite() throws IOException {
    assertThat(store(2).latest()).isEmpty();
    assertThat(store(2).best()).isEmpty();

    Files.createDirectories(directory());
    assertThat(store(2).latest()).isEmpty();
  }

  @Test
  void shouldKeepTheLastAndTheBest() throws IOException {
    double[] scores = {0.1, 0.9, 0.3, 0.9, 0.5, 0.6};
    for (int update = 0; update < scores.length; update++) {
      Saved saved = store(2).write(Samples.state(update), Samples.scored(update, scores[update]));
      assertThat(saved.best()).isEqualTo(update <= 1);
    }

    assertThat(names())
        .containsExactly(
            "BEST", "LATEST", "lock", "update-00000001", "update-00000004", "update-00000005");
    assertThat(store(2).best().orElseThrow().manifest().info().update()).isEqualTo(1);
    assertThat(store(2).best().orElseThrow().problems()).isEmpty();
    assertThat(store(2).latest().orElseThrow().manifest().info().update()).isEqualTo(5);
  }

  @Test
  void shouldKeepTheLastAloneWithoutScores() {
    for (long update = 8; update < 13; update++) {
      store(3).write(Samples.state(update), Samples.info(update));
    }

    assertThat(names())
        .containsExactly("LATEST", "lock", "update-00000010", "update-00000011", "update-00000012");
    assertThat(store(3).best()).isEmpty();
  }

  @Test
  void shouldRankNegativeScores() {
    store(1).write(Samples.state(1), Samples.scored(1, -5.0));
    store(1).write(Samples.state(2), Samples.scored(2, -7.0));
    store(1).write(Samples.state(3), Samples.info(3));

    assertThat(store(1).best().orElseThrow().manifest().info().update()).isEqualTo(1);
  }

  @Test
  void shouldLeaveASnapshotAloneWhenItIsWrittenAgain() throws IOException {
    Saved first = store(2).write(Samples.state(3), Samples.info(3));
    Object before = fileKey(first.snapshot());
    Files.delete(directory().resolve("LATEST"));

    Saved second = store(2).write(Samples.state(3), Samples.info(3));

    assertThat(second).isEqualTo(first);
    assertThat(fileKey(first.snapshot())).isEqualTo(before);
    assertThat(names()).containsExactly("LATEST", "lock", "update-00000003");
    assertThat(store(2).latest().orElseThrow().problems()).isEmpty();
  }

  @Test
  void shouldGiveOtherContentOfTheSameUpdateItsOwnName() {
    store(2).write(Samples.state(3), Samples.info(3));
    StateMap other = Samples.state(3).putLong("more", 1);

    Saved second = store(2).write(other, Samples.info(3));
    Saved third = store(2).write(Samples.state(3), Samples.info(3));

    assertThat(second.snapshot()).hasFileName("update-00000003-2");
    assertThat(third.snapshot()).hasFileName("update-00000003-3");
    assertThat(names()).containsExactly("LATEST", "lock", "update-00000003-3");
    assertThat(store(2).latest().orElseThrow().state().contains("more")).isFalse();
  }

  @Test
  void shouldFollowARunThatWentBack() {
    for (long update = 1; update <= 3; update++) {
      store(3).write(Samples.state(update), Samples.info(update));
    }
    StateMap other = Samples.state(2).putLong("more", 1);

    store(2).write(other, Samples.info(2));

    assertThat(store(2).latest().orElseThrow().state().contains("more")).isTrue();
    assertThat(names())
        .containsExactly(
            "LATEST", "lock", "update-00000001", "update-00000002-2", "update-00000003");
  }

  @Test
  void shouldFallBackToTheOneBeforeAndNotToAnAbandonedOne() throws IOException {
    for (long update = 1; update <= 3; update++) {
      store(3).write(Samples.state(update), Samples.info(update));
    }
    Saved back = store(3).write(Samples.state(2).putLong("more", 1), Samples.info(2));
    Files.write(back.snapshot().resolve("state.safetensors"), new byte[0]);

    Loaded loaded = store(3).latest().orElseThrow();

    assertThat(loaded.manifest().info().update()).isEqualTo(1);
    assertThat(loaded.problems()).hasSize(1);
  }

  @Test
  void shouldRemoveWhatDeadWritersLeft() throws IOException {
    Files.createDirectories(directory().resolve("tmp-4711").resolve("deeper"));
    Files.writeString(directory().resolve("tmp-4711").resolve("state.safetensors"), "half");
    Files.writeString(directory().resolve("tmp-LATEST"), "half");
    Files.writeString(directory().resolve("notes.txt"), "mine");

    assertThat(store(2).latest()).isEmpty();
    store(2).write(Samples.state(1), Samples.info(1));

    assertThat(names()).containsExactly("LATEST", "lock", "notes.txt", "update-00000001");
  }

  @Test
  void shouldRefuseASecondWriter() throws IOException {
    store(2).write(Samples.state(1), Samples.info(1));
    Path lock = directory().resolve("lock");
    try (FileChannel other = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      other.lock();

      assertThatThrownBy(() -> store(2).write(Samples.state(2), Samples.info(2)))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining("another writer is at work");
      assertThat(store(2).latest().orElseThrow().manifest().info().update()).isEqualTo(1);
    }
    store(2).write(Samples.state(2), Samples.info(2));
  }

  @Test
  void shouldWriteTheSameBytesForTheSameState() throws IOException {
    Path first = store(2).write(Samples.state(1), Samples.info(1)).snapshot();
    Path second =
        new SnapshotStore(parent.resolve("other"), Retention.DEFAULT)
            .write(Samples.state(1), Samples.info(1))
            .snapshot();

    for (String name : List.of("state.safetensors", "manifest.json", "../LATEST")) {
      assertThat(second.resolve(name)).hasSameBinaryContentAs(first.resolve(name));
    }
  }

  @Test
  void shouldServeReadersWhileItWrites() {
    store(1).write(Samples.state(1), Samples.scored(1, 1.0));
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> reader =
        CompletableFuture.supplyAsync(
            () -> {
              int reads = 0;
              long last = 0;
              while (!done.get() || reads == 0) {
                Loaded loaded = store(1).latest().orElseThrow();
                long update = loaded.manifest().info().update();
                assertThat(loaded.problems()).isEmpty();
                assertThat(update).isGreaterThanOrEqualTo(last);
                assertThat(loaded.state().entries()).isEqualTo(Samples.state(update).entries());
                assertThat(store(1).best().orElseThrow().problems()).isEmpty();
                last = update;
                reads++;
              }
              return reads;
            });
    SnapshotStore writer = new SnapshotStore(directory(), new Retention(1), FaultyDisk.sound());
    try {
      for (long update = 2; update <= 300 && !reader.isDone(); update++) {
        writer.write(Samples.state(update), Samples.scored(update, (double) update));
      }
    } finally {
      done.set(true);
    }

    assertThat(reader.join()).isPositive();
  }

  @Test
  void shouldRefuseToReadWhatIsNoSnapshot() {
    assertThatThrownBy(() -> SnapshotStore.read(parent))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("manifest.json: cannot be read (NoSuchFileException");
  }

  @Test
  void shouldRefuseToKeepNothing() {
    assertThatThrownBy(() -> new Retention(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retention.keepLast must be 1 or more, was 0");
  }

  private static Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private SnapshotStore store(int keepLast) {
    return new SnapshotStore(directory(), new Retention(keepLast));
  }

  private Path directory() {
    return parent.resolve("run").resolve("snapshots");
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(directory())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
