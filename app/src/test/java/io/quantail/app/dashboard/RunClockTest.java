package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class RunClockTest {
  @TempDir private Path directory;
  private RunFixture run;
  private RunClock clock;

  @BeforeEach
  void begin() throws IOException {
    run = new RunFixture(directory.toRealPath());
    clock = new RunClock(new RunFiles("run", run.path()));
  }

  @Test
  void shouldDeriveSpeedAndTrainingTime() throws IOException {
    run.clock(1_000, 1, 10);
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(10);
    assertThat(clock.table().find("time/fps").value(9)).isEqualTo(2_048);
    assertThat(clock.table().find("time/time_elapsed").value(9)).isEqualTo(10);
    assertThat(clock.recentSpeed()).isEqualTo(2_048);
    assertThat(clock.elapsedSeconds()).isEqualTo(10);
  }

  /** Killed after update 10, resumed an hour later from update 5. */
  @Test
  void shouldAddTheTimesOfAllProcesses() throws IOException {
    run.clock(1_000, 1, 10);
    clock.poll();
    Files.delete(run.path().resolve("clock.csv"));
    run.clock(1_000, 1, 5).clock(4_600, 6, 8);
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(8);
    assertThat(clock.table().update(7)).isEqualTo(8);
    assertThat(clock.elapsedSeconds()).isEqualTo(8);
    assertThat(clock.recentSpeed()).isEqualTo(2_048);
    assertThat(clock.table().find("time/fps").value(7)).isEqualTo(2_048);
  }

  /** The process before died after one second, so the seconds of its row are not larger. */
  @Test
  void shouldNoticeANewProcessWhoseTimesContinueThoseBefore() throws IOException {
    run.clock(1_000, 1, 1).clock(4_600, 2, 2);
    clock.poll();
    assertThat(clock.elapsedSeconds()).isEqualTo(2);
    assertThat(clock.table().find("time/fps").value(1)).isEqualTo(2_048);
    assertThat(clock.recentSpeed()).isNaN();
  }

  /** A run of an older build that this build has resumed. */
  @Test
  void shouldMeasureSpeedFromTheFirstRowThatHasATime() throws IOException {
    run.clock(1_000, 51, 53);
    clock.poll();
    assertThat(clock.table().find("time/fps").size()).isEqualTo(2);
    assertThat(clock.table().find("time/fps").value(1)).isEqualTo(2_048);
  }

  @Test
  void shouldIgnoreMissingFilesAndMalformedLines() throws IOException {
    clock.poll();
    assertThat(clock.table().rows()).isZero();
    assertThat(clock.elapsedSeconds()).isNaN();
    assertThat(clock.recentSpeed()).isNaN();
    run.clock(1_000, 1, 2).append("clock.csv", "3,x,1,1\n\0\0\0\n3,6144,3.0,10030");
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(2);
    run.append("clock.csv", "00\n");
    clock.poll();
    assertThat(clock.table().rows()).isEqualTo(3);
  }
}
