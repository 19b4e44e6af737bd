package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.dashboard.RunSummary.State;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class RunSummaryTest {
  private static final long NOW = 1_800_000_000_000L;

  @TempDir private Path directory;
  private RunFixture run;

  @BeforeEach
  void begin() throws IOException {
    run = new RunFixture(directory.toRealPath()).begun("CartPole-v1", 100_000);
    age("run.json", 600);
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
  void shouldTellStatesApart() throws IOException {
    assertThat(summary().state()).isEqualTo(State.EMPTY);
    run.rows("a", 100);
    age("metrics.csv", 5);
    assertThat(summary().state()).isEqualTo(State.RUNNING);
    age("metrics.csv", 3_600);
    assertThat(summary().state()).isEqualTo(State.SILENT);
    run.write("metrics.parquet", "");
    age("metrics.parquet", 3_599);
    assertThat(summary().state()).isEqualTo(State.INTERRUPTED);
    run.write("result.json", "{}");
    age("result.json", 3_598);
    assertThat(summary().state()).isEqualTo(State.FINISHED);
    age("metrics.csv", 2); // resumed with more steps
    assertThat(summary().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void shouldSayLittleOfABrokenRun() {
    run.write("config.yaml", "{[").write("run.json", "nonsense").write("metrics.csv", "\0\0,,\n");
    RunSummary summary = summary();
    assertThat(summary.state()).isEqualTo(State.EMPTY);
    assertThat(summary.totalSteps()).isNull();
    assertThat(summary.environment()).isEmpty();
  }

  private RunSummary summary() {
    RunFolder folder = new RunFolder("run", run.path());
    return RunSummary.of(folder, folder.alerts(), NOW);
  }

  private void age(String file, long seconds) throws IOException {
    Files.setLastModifiedTime(run.path().resolve(file), FileTime.fromMillis(NOW - 1_000 * seconds));
  }
}
