package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "empty | '' | is empty; it must have a header and bars",
        "no bars | ts,open,high,low,close,volume | has a header but no bars",
        "missing column | ts,open,high,close,volume;1704070800,10,12,11,1 | column low: is missing",
        "text in a number | H;A,10,12,9,eleven,1;B,10,12,9,11,1;C,10,12,9,11,1 | line 2, column close: \"eleven\" must be a finite number",
        "high < low | H;A,10,8,9,11,1;B,10,12,9,11,1;C,10,12,9,11,1 | line 2, column high: \"8.0\" must be at least low (9.0)",
        "duplicate time | H;A,10,12,9,11,1;B,10,12,9,11,1;B,10,12,9,11,1;C,10,12,9,11,1 | line 4, column ts: \"1704074400\" is also the time of the previous bar",
        "unsorted time | H;A,10,12,9,11,1;C,10,12,9,11,1;B,10,12,9,11,1 | line 4, column ts: \"1704074400\" is earlier than the previous bar",
        "gap | H;A,10,12,9,11,1;B,10,12,9,11,1;C,10,12,9,11,1;1704160800,10,12,9,11,1 | line 5, column ts: \"1704160800\" is 23h after the previous bar",
        "seconds and milliseconds | H;A,10,12,9,11,1;B,10,12,9,11,1;1704078000000,10,12,9,11,1 | line 4, column ts: \"1704078000000\" must be a time, written as in the rest",
        "negative price | H;A,10,12,-9,11,1;B,10,12,9,11,1;C,10,12,9,11,1 | line 2, column low: \"-9.0\" must be a positive price",
        "NaN | H;A,10,12,9,11,1;B,10,NaN,9,11,1;C,10,12,9,11,1 | line 3, column high: \"NaN\" must be a finite number",
        "one bar | H;A,10,12,9,11,1 | has 1 bar; at least 2 are needed",
        "too few bars | H;A,10,12,9,11,0;B,10,12,9,11,0;C,10,12,9,11,0 | market.split leaves",
      })
  void shouldRefuseAndWriteNothing(String what, String rows, String message) throws IOException {
    Path bars = directory.resolve("bars.csv");
    String text =
        rows.replace("H", "ts,open,high,low,close,volume")
            .replace("A", "1704070800")
            .replace("B", "1704074400")
            .replace("C", "1704078000")
            .replace(';', '\n');
    Files.writeString(bars, text.isEmpty() ? "" : text + '\n');
    Path run = directory.resolve("run");
    String[] market = {
      "--set", "environment.name=Market-v0", "--set", "market.data.files=[" + bars + "]"
    };
    Invocation invocation = Invocation.train(run, market);
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.DATA);
    assertThat(invocation.err()).contains(message);
    assertThat(run).doesNotExist();
  }

  @Test
  void shouldRefuseAFeeOfFiveHundredPercent() {
    Path run = directory.resolve("run");
    Refusal.require(
        Invocation.trainOnMarket(run, "--set", "market.execution.takerBps=50000"),
        ExitCode.USAGE,
        "market.execution.takerBps must be in [0, 1000], was 50000");
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
