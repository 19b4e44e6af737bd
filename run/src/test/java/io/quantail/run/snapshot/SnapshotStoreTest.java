package io.quantail.run.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.io.Sha256;
import io.quantail.run.io.DurableFiles;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Snapshot saved = store(2).write(Samples.state(3), Samples.info(3));

    Snapshot loaded = store(2).latest().orElseThrow();

    assertThat(saved.directory()).isEqualTo(directory().resolve("update-00000003"));
    assertThat(saved.problems()).isEmpty();
    assertThat(loaded.state().entries()).isEqualTo(Samples.state(3).entries());
    assertThat(loaded.state().names()).isEqualTo(Samples.state(3).names());
    assertThat(loaded.manifest().info()).isEqualTo(Samples.info(3));
    assertThat(loaded.problems()).isEmpty();
    assertThat(SnapshotStore.read(saved.directory()).manifest()).isEqualTo(loaded.manifest());
  }

  @Test
  void shouldBeEmptyBeforeTheFirstWrite() throws IOException {
    assertThat(store(2).latest()).isEmpty();

    Files.createDirectories(directory());
    assertThat(store(2).latest()).isEmpty();
  }

  @Test
  void shouldKeepTheLast() {
    for (long update = 8; update < 13; update++) {
      store(3).write(Samples.state(update), Samples.info(update));
    }

    assertThat(names())
        .containsExactly("LATEST", "update-00000010", "update-00000011", "update-00000012");
  }

  @Test
  void shouldNotDeleteTheSnapshotThatIsKept() {
    SnapshotStore store = store(2);
    assertThat(store.kept()).isEmpty();
    store.keep(store.write(Samples.state(1), Samples.info(1)));
    for (long update = 2; update < 5; update++) {
      store.write(Samples.state(update), Samples.info(update));
    }

    assertThat(names())
        .containsExactly("KEPT", "LATEST", "update-00000001", "update-00000003", "update-00000004");
    Snapshot kept = store.kept().orElseThrow();
    assertThat(kept.state().entries()).isEqualTo(Samples.state(1).entries());
    assertThat(store.latest().orElseThrow().manifest().info().update()).isEqualTo(4);

    store.keep(store.ofUpdate(3).orElseThrow());
    store.write(Samples.state(5), Samples.info(5));
    assertThat(names())
        .containsExactly("KEPT", "LATEST", "update-00000003", "update-00000004", "update-00000005");
    assertThat(store.ofUpdate(1)).isEmpty();
  }

  @Test
  void shouldRefuseAKeptSnapshotThatIsDamaged() throws IOException {
    SnapshotStore store = store(2);
    Snapshot kept = store.write(Samples.state(1), Samples.info(1));
    store.keep(kept);
    Files.writeString(kept.directory().resolve("manifest.json"), "{}");

    assertThatThrownBy(store::kept)
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("update-00000001");

    Files.writeString(directory().resolve("KEPT"), "update-1");
    assertThatThrownBy(store::kept).hasMessageContaining("the pointer is damaged");
    store.write(Samples.state(2), Samples.info(2));
    store.write(Samples.state(3), Samples.info(3));
    Snapshot last = store.write(Samples.state(4), Samples.info(4));
    assertThat(last.problems())
        .hasSize(1)
        .allSatisfy(problem -> assertThat(problem).contains("old snapshots are not deleted"));
  }

  @Test
  void shouldKeepTwoAndIgnoreTheBestOfFormerVersions() throws IOException {
    Files.createDirectories(directory());
    Files.writeString(directory().resolve("BEST"), "update-00000001 " + "ab".repeat(32) + "\n");
    SnapshotStore store = new SnapshotStore(directory());
    for (long update = 1; update < 5; update++) {
      store.write(Samples.state(update), Samples.info(update));
    }

    assertThat(names()).containsExactly("BEST", "LATEST", "update-00000003", "update-00000004");
    assertThat(store.latest().orElseThrow().problems()).isEmpty();
  }

  @Test
  void shouldWriteAnUpdateAgainBesideTheSameStateInTheFormerFormat() throws IOException {
    Snapshot first = store(2).write(Samples.state(12), Samples.info(12));
    rewriteInFormerFormat(first);

    Snapshot second = store(2).write(Samples.state(12), Samples.info(12));

    assertThat(second.directory()).hasFileName("update-00000012-2");
    assertThat(store(2).latest().orElseThrow().problems()).isEmpty();
  }

  @Test
  void shouldReadASnapshotInTheFormerFormat() throws IOException {
    Snapshot written = store(2).write(Samples.state(12), Samples.info(12));
    rewriteInFormerFormat(written);

    Snapshot read = store(2).latest().orElseThrow();

    assertThat(read.problems()).isEmpty();
    assertThat(read.manifest().info()).isEqualTo(Samples.info(12));
    assertThat(read.state().entries()).isEqualTo(Samples.state(12).entries());
  }

  /** As versions wrote it that scored snapshots: other version, another field, other hashes. */
  private void rewriteInFormerFormat(Snapshot snapshot) throws IOException {
    Path file = snapshot.directory().resolve("manifest.json");
    String text = Files.readString(file);
    String body =
        text.substring(0, text.indexOf(",\n  \"logs\""))
            .replace("\"formatVersion\" : 3", "\"formatVersion\" : 1")
            .replace("\"configHash\"", "\"score\" : null,\n    \"configHash\"");
    String sealed = body + ",\n  \"manifestSha256\" : \"" + Sha256.hex(body) + "\"\n}\n";
    Files.writeString(file, sealed);
    Files.writeString(
        directory().resolve("LATEST"),
        snapshot.directory().getFileName() + " " + Sha256.hex(sealed) + "\n");
  }

  @Test
  void shouldLeaveASnapshotAloneWhenItIsWrittenAgain() throws IOException {
    Snapshot first = store(2).write(Samples.state(3), Samples.info(3));
    Object before = fileKey(first.directory());
    Files.delete(directory().resolve("LATEST"));

    Snapshot second = store(2).write(Samples.state(3), Samples.info(3));

    assertThat(second.directory()).isEqualTo(first.directory());
    assertThat(second.manifest()).isEqualTo(first.manifest());
    assertThat(fileKey(first.directory())).isEqualTo(before);
    assertThat(names()).containsExactly("LATEST", "update-00000003");
    assertThat(store(2).latest().orElseThrow().problems()).isEmpty();
  }

  @Test
  void shouldGiveOtherContentOfTheSameUpdateItsOwnName() {
    store(2).write(Samples.state(3), Samples.info(3));
    StateMap other = Samples.state(3).putLong("more", 1);

    Snapshot second = store(2).write(other, Samples.info(3));
    Snapshot third = store(2).write(Samples.state(3), Samples.info(3));

    assertThat(second.directory()).hasFileName("update-00000003-2");
    assertThat(third.directory()).hasFileName("update-00000003-3");
    assertThat(names()).containsExactly("LATEST", "update-00000003-3");
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
        .containsExactly("LATEST", "update-00000001", "update-00000002-2", "update-00000003");
  }

  @Test
  void shouldFallBackToTheOneBeforeAndNotToAnAbandonedOne() throws IOException {
    for (long update = 1; update <= 3; update++) {
      store(3).write(Samples.state(update), Samples.info(update));
    }
    Snapshot back = store(3).write(Samples.state(2).putLong("more", 1), Samples.info(2));
    Files.write(back.directory().resolve("state.safetensors"), new byte[0]);

    Snapshot loaded = store(3).latest().orElseThrow();

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

    assertThat(names()).containsExactly("LATEST", "notes.txt", "update-00000001");
  }

  @Test
  void shouldWriteTheSameBytesForTheSameState() throws IOException {
    Path first = store(2).write(Samples.state(1), Samples.info(1)).directory();
    Path second =
        new SnapshotStore(parent.resolve("other"))
            .write(Samples.state(1), Samples.info(1))
            .directory();

    for (String name : List.of("state.safetensors", "manifest.json", "../LATEST")) {
      assertThat(second.resolve(name)).hasSameBinaryContentAs(first.resolve(name));
    }
  }

  @Test
  void shouldServeReadersWhileItWrites() {
    store(1).write(Samples.state(1), Samples.info(1));
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> reader =
        CompletableFuture.supplyAsync(
            () -> {
              int reads = 0;
              long last = 0;
              while (!done.get() || reads == 0) {
                Snapshot loaded = store(1).latest().orElseThrow();
                long update = loaded.manifest().info().update();
                assertThat(loaded.problems()).isEmpty();
                assertThat(update).isGreaterThanOrEqualTo(last);
                assertThat(loaded.state().entries()).isEqualTo(Samples.state(update).entries());
                last = update;
                reads++;
              }
              return reads;
            });
    SnapshotStore writer = new SnapshotStore(directory(), 1, FaultyDisk.sound());
    try {
      for (long update = 2; update <= 300 && !reader.isDone(); update++) {
        writer.write(Samples.state(update), Samples.info(update));
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

  private static Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private SnapshotStore store(int keepLast) {
    return new SnapshotStore(directory(), keepLast, new DurableFiles());
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
