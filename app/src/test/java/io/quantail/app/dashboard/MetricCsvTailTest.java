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
class MetricCsvTailTest {
  @TempDir private Path directory;
  private RunFixture run;
  private MetricCsvTail tail;

  @BeforeEach
  void begin() throws IOException {
    run = new RunFixture(directory.toRealPath());
    tail = new MetricCsvTail(new RunFiles("run", run.path()), metric -> !metric.equals("left-out"));
  }

  @Test
  void shouldReadCompleteLinesOnlyAndContinueWhereItStopped() throws IOException {
    run.write("metrics.csv", RunFixture.HEADER + "1,10,a,0.5\n1,10,b,-2.0E-4\n2,20,a,0.");
    tail.poll();
    assertThat(values("a")).containsExactly(0.5);
    assertThat(values("b")).containsExactly(-2e-4);

    run.append("metrics.csv", "75\n2,20,b,1.0\n");
    tail.poll();
    assertThat(values("a")).containsExactly(0.5, 0.75);
    assertThat(values("b")).containsExactly(-2e-4, 1.0);
    assertThat(tail.table().steps(1)).isEqualTo(20);
    assertThat(tail.generation()).isZero();
    assertThat(tail.malformed()).isZero();
  }

  @Test
  void shouldReadMetricsThatAppearLateOrAreMissingInARow() throws IOException {
    run.write(
        "metrics.csv",
        RunFixture.HEADER + "1,10,a,1\n1,10,c,3\n2,20,a,1\n2,20,b,2\n2,20,c,3\n3,30,c,4\n");
    tail.poll();
    assertThat(values("a")).containsExactly(1, 1);
    assertThat(values("b")).containsExactly(2);
    assertThat(values("c")).containsExactly(3, 3, 4);
    assertThat(tail.table().find("b").row(0)).isEqualTo(1);
  }

  @Test
  void shouldKeepOnlyTheMetricsThatAreWanted() throws IOException {
    run.write("metrics.csv", RunFixture.HEADER + "1,10,left-out,1\n1,10,a,2\n2,20,left-out,3\n");
    tail.poll();
    assertThat(values("a")).containsExactly(2);
    assertThat(tail.table().find("left-out")).isNull();
    assertThat(tail.table().rows()).isEqualTo(2);
    assertThat(tail.malformed()).isZero();
  }

  @Test
  void shouldReadALogAgainThatWasTruncated() throws IOException {
    run.rows("a", 20);
    tail.poll();
    run.rows("a", 5);
    tail.poll();
    assertThat(values("a")).containsExactly(1, 2, 3, 4, 5);
    assertThat(tail.generation()).isEqualTo(1);
  }

  /** Truncated and extended between two polls: at least as long as before, with other content. */
  @Test
  void shouldReadALogAgainThatWasReplacedByOneAsLong() throws IOException {
    run.write("metrics.csv", RunFixture.HEADER + "1,10,a,1.0\n2,20,a,2.0\n");
    tail.poll();
    run.write("metrics.csv", RunFixture.HEADER + "1,10,a,1.0\n2,20,a,7.0\n3,30,a,8.0\n");
    tail.poll();
    assertThat(values("a")).containsExactly(1, 7, 8);
    assertThat(tail.generation()).isEqualTo(1);
  }

  @Test
  void shouldBeEmptyAfterTheLogIsDeleted() throws IOException {
    run.rows("a", 3);
    tail.poll();
    Files.delete(run.path().resolve("metrics.csv"));
    tail.poll();
    assertThat(tail.table().rows()).isZero();
    assertThat(tail.generation()).isEqualTo(1);
  }

  @Test
  void shouldSkipAndCountMalformedLines() throws IOException {
    run.write(
        "metrics.csv",
        RunFixture.HEADER
            + "1,10,a,1.0\n"
            + "garbage\n"
            + ",,,\n"
            + "2,20,a,NaN\n"
            + "2,20,a,1,2\n"
            + "-3,30,a,1\n"
            + "x,30,a,1\n"
            + "3,30,,1\n"
            + "\n"
            + "99999999999999999999,30,a,1\n"
            + "4,40,a,4.0\n"
            + "3,30,a,3.0\n");
    tail.poll();
    assertThat(values("a")).containsExactly(1, 4);
    assertThat(tail.malformed()).isEqualTo(10);
    assertThat(tail.firstMalformed()).isEqualTo(3);
  }

  @Test
  void shouldIgnoreAFileThatIsNotALog() throws IOException {
    run.write("metrics.csv", "x".repeat(3_000_000) + "\n1,10,a,1.0\n");
    tail.poll();
    assertThat(tail.malformed()).isPositive();
    assertThat(tail.firstMalformed()).isEqualTo(1);
  }

  @Test
  void shouldReadLogsLongerThanAChunk() throws IOException {
    run.rows("rollout/some_metric_with_a_long_name", 60_000);
    tail.poll();
    assertThat(tail.malformed()).isZero();
    assertThat(tail.table().rows()).isEqualTo(60_000);
    assertThat(values("rollout/some_metric_with_a_long_name")[59_999]).isEqualTo(60_000);
  }

  private double[] values(String metric) {
    MetricTable.Column column = tail.table().find(metric);
    double[] values = new double[column.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.value(i);
    }
    return values;
  }
}
