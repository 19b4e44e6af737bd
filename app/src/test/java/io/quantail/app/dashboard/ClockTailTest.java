package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class ClockTailTest {
  @TempDir private Path directory;
  private RunFixture run;
  private ClockTail clock;

  @BeforeEach
  void begin() throws IOException {
    run = new RunFixture(directory.toRealPath());
    clock = new ClockTail(new RunFolder("run", run.path()));
  }

  @Test
  void shouldReadTimesAndNothingElse() throws IOException {
    run.events(1_000, 1, 10);
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(10);
    assertThat(clock.table().find("time/fps").value(9)).isEqualTo(2_048);
    assertThat(clock.table().find("train/loss")).isNull();
    assertThat(clock.recentSpeed()).isEqualTo(2_048);
    assertThat(clock.elapsedSeconds()).isEqualTo(10);
  }

  /** Killed after update 10, resumed an hour later from update 5. */
  @Test
  void shouldForgetWhatAResumedRunRepeats() throws IOException {
    run.events(1_000, 1, 10);
    clock.poll();
    run.events(4_600, 6, 8);
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(8);
    assertThat(clock.table().update(7)).isEqualTo(8);
    assertThat(clock.elapsedSeconds()).isEqualTo(13);
    assertThat(clock.recentSpeed()).isEqualTo(2_048);
  }

  @Test
  void shouldWaitForTheRestOfAnEvent() throws IOException {
    run.events(1_000, 1, 3);
    Path file;
    try (Stream<Path> files = Files.list(run.path().resolve("tensorboard"))) {
      file = files.findFirst().orElseThrow();
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 7));
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(2);
    Files.write(file, whole);
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(3);
  }

  @Test
  void shouldSurviveGarbage() throws IOException {
    Path events = Files.createDirectory(run.path().resolve("tensorboard"));
    byte[] garbage = new byte[5_000];
    Arrays.fill(garbage, (byte) 0xff);
    Files.write(events.resolve("events.out.tfevents.1"), garbage);
    Files.write(events.resolve("events.out.tfevents.2"), new byte[5_000]);
    clock.poll();
    assertThat(clock.table().rows()).isZero();
    assertThat(clock.recentSpeed()).isNaN();
  }
}
