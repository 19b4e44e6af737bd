package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad bars end with exit code 3, a line for each problem, and nothing written. */
@Requirement("DATA-1")
class BadDataTest {
  @TempDir private Path directory;

  @Test
  void shouldListEveryProblemAndWriteNothing() throws IOException {
    Path bars = directory.resolve("bars.csv");
    Files.writeString(
        bars,
        "ts,open,high,low,close,volume\n"
            + "2024-01-01T01:00:00Z,10,12,9,11,100\n"
            + "2024-01-01T02:00:00Z,ten,12,9,11,100\n"
            + "2024-01-01T03:00:00Z,10,8,9,11,100\n");
    Path run = directory.resolve("run");
    Invocation invocation =
        Invocation.train(
            run,
            "--set",
            "environment.name=Market-v0",
            "--set",
            "market.data.files=[" + bars + "]");
    assertThat(invocation.code()).isEqualTo(ExitCode.DATA);
    assertThat(invocation.err().lines())
        .containsExactly(
            "quantail: 2 problems in the data:",
            "  " + bars + ", line 3, column open: \"ten\" must be a finite number",
            "  " + bars + ", line 4, column high: \"8.0\" must be at least low (9.0)");
    assertThat(run).doesNotExist();
  }

  @Test
  void shouldRefuseASplitOutsideTheData() {
    Path run = directory.resolve("run");
    Invocation invocation =
        Invocation.train(
            run,
            "--set",
            "environment.name=Market-v0",
            "--set",
            "market.split={by: dates, trainDates: 2013-11-25/2013-11-28, testDates: 2020-01-01/2020-02-01}");
    assertThat(invocation.code()).isEqualTo(ExitCode.DATA);
    assertThat(invocation.err()).contains("market.split.testDates (2020-01-01/2020-02-01) lies");
    assertThat(run).doesNotExist();
  }
}
