package io.quantail.run.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.run.snapshot.FaultyDisk.Dead;
import io.quantail.run.snapshot.FaultyDisk.Fault;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("CKPT-1")
class SnapshotCrashTest {
  /** Fewer would mean that steps no longer go through the disk. */
  private static final int LEAST_STEPS = 25;

  @TempDir Path parent;

  @ParameterizedTest
  @EnumSource(names = {"KILL", "POWER_CUT", "POWER_CUT_REORDERED"})
  void shouldKeepACompleteSnapshotWhereverTheWriterDies(Fault fault) {
    int steps = 0;
    for (boolean alive = false; !alive; steps++) {
      Path directory = parent.resolve(fault + "-" + steps);
      writeThree(directory);
      FaultyDisk disk = new FaultyDisk(fault, steps + 1);
      alive = !dies(directory, disk, 4);

      Snapshot loaded = store(directory).latest().orElseThrow();

      assertSample(loaded, alive ? List.of(4L) : List.of(3L, 4L));
      assertThat(loaded.problems()).as("died at step %d", steps).isEmpty();
      assertRecovers(directory, loaded);
    }
    assertThat(steps).isGreaterThan(LEAST_STEPS);
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL", "POWER_CUT", "POWER_CUT_REORDERED"})
  void shouldHaveNothingOrTheFirstSnapshotWhenTheFirstWriterDies(Fault fault) {
    int steps = 0;
    for (boolean alive = false; !alive; steps++) {
      Path directory = parent.resolve("a-" + steps).resolve("b").resolve("snapshots");
      alive = !dies(directory, new FaultyDisk(fault, steps + 1), 1);

      store(directory).latest().ifPresent(loaded -> assertSample(loaded, List.of(1L)));

      store(directory).write(Samples.state(1), Samples.info(1));
      Snapshot again = store(directory).latest().orElseThrow();
      assertSample(again, List.of(1L));
      assertThat(again.problems()).isEmpty();
    }
    assertThat(steps).isGreaterThan(LEAST_STEPS / 2);
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL", "POWER_CUT", "POWER_CUT_REORDERED"})
  void shouldKeepTheOnlySnapshotWhenItIsWrittenAgainWithOtherContent(Fault fault) {
    for (int step = 1; ; step++) {
      Path directory = parent.resolve(fault + "-" + step);
      store(directory).write(Samples.state(3), Samples.info(3));
      FaultyDisk disk = new FaultyDisk(fault, step);
      boolean died = false;
      try {
        new SnapshotStore(directory, 2, disk).write(Samples.state(3), Samples.info(3, "other"));
      } catch (Dead end) {
        died = true;
      }
      Snapshot loaded = store(directory).latest().orElseThrow();
      assertSample(loaded, List.of(3L));
      assertThat(loaded.problems()).isEmpty();
      if (!died) {
        assertThat(loaded.manifest().info().configHash()).isEqualTo("other");
        assertThat(names(directory)).containsExactly("LATEST", "update-00000003-2");
        return;
      }
    }
  }

  /** A run that keeps its best snapshot writes one and then moves the pointer. */
  @ParameterizedTest
  @EnumSource(names = {"KILL", "POWER_CUT", "POWER_CUT_REORDERED"})
  void shouldHaveAGoodKeptSnapshotWhereverTheWriterDies(Fault fault) {
    int steps = 0;
    for (boolean alive = false; !alive; steps++) {
      Path directory = parent.resolve(fault + "-" + steps);
      SnapshotStore before = store(directory);
      before.keep(before.write(Samples.state(1), Samples.info(1)));
      for (long update = 2; update <= 4; update++) {
        before.write(Samples.state(update), Samples.info(update));
      }
      SnapshotStore dying = new SnapshotStore(directory, 2, new FaultyDisk(fault, steps + 1));
      try {
        dying.keep(dying.write(Samples.state(5), Samples.info(5)));
        alive = true;
      } catch (Dead end) {
        assertThat(end).isNotNull();
      }

      assertSample(store(directory).kept().orElseThrow(), alive ? List.of(5L) : List.of(1L, 5L));

      SnapshotStore after = store(directory);
      after.keep(after.write(Samples.state(5), Samples.info(5)));
      after.write(Samples.state(6), Samples.info(6));
      after.write(Samples.state(7), Samples.info(7));
      assertThat(names(directory))
          .containsExactly(
              "KEPT", "LATEST", "update-00000005", "update-00000006", "update-00000007");
      assertSample(after.kept().orElseThrow(), List.of(5L));
    }
    assertThat(steps).isGreaterThan(LEAST_STEPS);
  }

  @ParameterizedTest
  @EnumSource(names = {"DISK_FULL", "ERROR"})
  void shouldReportAFailingDiskAndLeaveNothingBehind(Fault fault) {
    boolean failed = true;
    int reported = 0;
    for (int step = 1; failed; step++) {
      Path directory = parent.resolve(fault + "-" + step);
      writeThree(directory);
      FaultyDisk disk = new FaultyDisk(fault, step);
      try {
        new SnapshotStore(directory, 2, disk).write(Samples.state(4), Samples.info(4));
      } catch (SnapshotException failure) {
        reported++;
        assertThat(failure)
            .hasMessageStartingWith(directory + ": snapshot of update 4 cannot be written")
            .hasMessageContaining("earlier snapshots are untouched")
            .hasMessageContaining(fault == Fault.DISK_FULL ? "No space left" : "Input/output");
        assertThat(names(directory)).noneMatch(name -> name.startsWith("tmp-"));
      }
      assertSample(store(directory).latest().orElseThrow(), List.of(3L, 4L));
      failed = disk.hasFailed();
    }
    assertThat(reported).isGreaterThan(LEAST_STEPS / 2);
  }

  @Test
  void shouldSayWhichOldSnapshotCouldNotBeDeleted() {
    int told = 0;
    for (int step = 1; step < 60; step++) {
      Path directory = parent.resolve("d-" + step);
      writeThree(directory);
      FaultyDisk disk = new FaultyDisk(Fault.ERROR, step);
      try {
        Snapshot saved =
            new SnapshotStore(directory, 2, disk).write(Samples.state(4), Samples.info(4));
        if (disk.hasFailed()) {
          told++;
          assertThat(saved.problems()).hasSize(1);
          assertThat(saved.problems().get(0)).contains("update-00000002: cannot be deleted");
          assertThat(store(directory).latest().orElseThrow().manifest().info().update())
              .isEqualTo(4);
        }
      } catch (SnapshotException failedBefore) {
        assertThat(failedBefore).hasMessageContaining("Input/output");
      }
    }
    assertThat(told).isEqualTo(4); // rename, two files, directory
  }

  @Test
  void shouldRefuseADirectoryThatIsAFile() throws IOException {
    Path file = Files.writeString(parent.resolve("snapshots"), "not a directory");

    assertThatThrownBy(() -> store(file).write(Samples.state(1), Samples.info(1)))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("snapshot of update 1 cannot be written");
    assertThatThrownBy(() -> store(file).latest())
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("NotDirectoryException");
    assertThat(file).hasContent("not a directory");
  }

  /** Of the three the last two are kept. */
  private static void writeThree(Path directory) {
    for (long update = 1; update <= 3; update++) {
      store(directory).write(Samples.state(update), Samples.info(update));
    }
  }

  private static boolean dies(Path directory, FaultyDisk disk, long update) {
    try {
      new SnapshotStore(directory, 2, disk).write(Samples.state(update), Samples.info(update));
      return false;
    } catch (Dead end) {
      return true;
    }
  }

  private static void assertSample(Snapshot loaded, List<Long> updates) {
    long update = loaded.manifest().info().update();
    assertThat(updates).contains(update);
    assertThat(loaded.state().entries()).isEqualTo(Samples.state(update).entries());
  }

  /** What a resumed run does next: the same update again, and all is as if nothing happened. */
  private static void assertRecovers(Path directory, Snapshot resumed) {
    for (long update = resumed.manifest().info().update() + 1; update <= 5; update++) {
      store(directory).write(Samples.state(update), Samples.info(update));
    }
    assertThat(names(directory)).containsExactly("LATEST", "update-00000004", "update-00000005");
    Snapshot loaded = store(directory).latest().orElseThrow();
    assertSample(loaded, List.of(5L));
    assertThat(loaded.problems()).isEmpty();
  }

  private static SnapshotStore store(Path directory) {
    return new SnapshotStore(directory, 2, FaultyDisk.sound());
  }

  private static List<String> names(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
