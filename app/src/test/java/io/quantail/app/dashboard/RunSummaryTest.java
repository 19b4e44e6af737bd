package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.dashboard.RunSummary.State;
import io.quantail.run.RunStatus;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("DASH-1")
class RunSummaryTest {
  private static final Instant NOW = Instant.parse("2027-01-15T08:00:00Z");
  private static final long NO_PROCESS = Long.MAX_VALUE;

  @TempDir private Path directory;
  private RunFixture run;

  @BeforeEach
  void begin() throws IOException {
    run = new RunFixture(directory.toRealPath()).begun("CartPole-v1", 100_000);
  }

  @Test
  void shouldReadTheNewestRow() {
    run.rows("rollout/ep_rew_mean", 3);
    RunSummary summary = summary();
    assertThat(summary.update()).isEqualTo(3);
    assertThat(summary.steps()).isEqualTo(3 * 2_048);
    assertThat(summary.totalSteps()).isEqualTo(100_000);
    assertThat(summary.meanReturn()).isEqualTo(3);
    assertThat(summary.environment()).isEqualTo("CartPole-v1");
    assertThat(summary.seed()).isEqualTo("7");
  }

  @Test
  void shouldReadTheNewestRowOfALongLog() {
    run.rows("rollout/ep_rew_mean", 9_999);
    assertThat(summary().update()).isEqualTo(9_999);
    assertThat(summary().meanReturn()).isEqualTo(9_999);
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, RUNNING",
    "FINISHED, FINISHED",
    "INTERRUPTED, INTERRUPTED",
    "FAILED, FAILED"
  })
  void shouldTakeTheStateFromTheStatusFile(RunStatus.State written, State shown) {
    run.rows("a", 100).write("result.json", "{}").status(written, 100, NOW.minusSeconds(5));
    assertThat(summary().state()).isEqualTo(shown);
  }

  @Test
  void shouldBeEmptyBeforeTheFirstUpdate() {
    assertThat(summary().state()).isEqualTo(State.EMPTY);
    run.status(RunStatus.State.RUNNING, 0, NOW);
    assertThat(summary().state()).isEqualTo(State.EMPTY);
  }

  /** One update a second: a minute and ten updates, or two updates without the process. */
  @ParameterizedTest
  @CsvSource({"true, 69, RUNNING", "true, 70, OVERDUE", "false, 61, RUNNING", "false, 62, OVERDUE"})
  void shouldNoticeThatUpdatesAreOverdue(boolean processExists, long seconds, State shown) {
    run.rows("a", 100).clock(NOW.getEpochSecond() - 1_000, 1, 100);
    long process = processExists ? ProcessHandle.current().pid() : NO_PROCESS;
    new RunStatus(RunStatus.State.RUNNING, process, 100, NOW.minusSeconds(seconds), null)
        .write(run.path());
    assertThat(summary().state()).isEqualTo(shown);
  }

  @Test
  void shouldShowRunsOfOlderBuildsWithoutStatus() {
    run.rows("a", 100);
    assertThat(summary().state()).isEqualTo(State.UNKNOWN);
    run.write("result.json", "{}");
    assertThat(summary().state()).isEqualTo(State.FINISHED);
  }

  @Test
  void shouldNotFollowALinkToAStatus() throws IOException {
    RunFixture other = new RunFixture(directory.toRealPath().resolve("other"));
    other.status(RunStatus.State.FAILED, 1, NOW);
    run.rows("a", 100);
    Files.createSymbolicLink(
        run.path().resolve("status.json"), other.path().resolve("status.json"));
    assertThat(summary().state()).isEqualTo(State.UNKNOWN);
  }

  @Test
  void shouldReadTheResultWithItsLimit() {
    run.write(
        "result.json",
        "{\"evaluation\": {\"meanReturn\": 12.5}, \"limit\": {\"limit\": -0.06, \"measured\":"
            + " -0.08, \"status\": \"broken\"}}");
    assertThat(summary().result())
        .isEqualTo(new RunSummary.Result(12.5, null, -0.06, "broken", -0.08));
    run.write("result.json", "{\"evaluation\": {\"totalReturn\": 0.1, \"split\": \"validation\"}}");
    assertThat(summary().result())
        .isEqualTo(new RunSummary.Result(0.1, "validation", null, null, null));
  }

  @Test
  void shouldReadTheNewestReturnOnValidationBars() {
    run.rows("validation/return", 3);
    assertThat(summary().validation()).isEqualTo(3);
    assertThat(summary().meanReturn()).isNull();
  }

  @Test
  void shouldDescribeADamagedRun() {
    run.write("config.yaml", "{[").write("run.json", "nonsense").write("metrics.csv", "\0\0,,\n");
    run.write("status.json", "{\"state\": 7}");
    RunSummary summary = summary();
    assertThat(summary.state()).isEqualTo(State.EMPTY);
    assertThat(summary.totalSteps()).isNull();
    assertThat(summary.environment()).isEmpty();
  }

  private RunSummary summary() {
    RunFiles folder = new RunFiles("run", run.path());
    return RunSummary.of(folder, new SettingsCache().of(folder), NOW.toEpochMilli());
  }
}
