package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedCommandTest {
  private static final Path STUDY = Path.of("runs", "my study");

  @Test
  void shouldKeepEveryArgumentAndNameTheDirectory() {
    assertThat(
            RepeatedCommand.line(
                List.of("sweep", "a.yaml", "--set", "ppo.clipRange={from: 0.2, to: 0}", "-q"),
                STUDY))
        .isEqualTo(
            "quantail sweep a.yaml --set 'ppo.clipRange={from: 0.2, to: 0}' -q --run 'runs/my"
                + " study'");
  }

  @Test
  void shouldReplaceTheDirectoryOfTheUser() {
    assertThat(RepeatedCommand.line(List.of("sweep", "--run", "x", "a.yaml", "--run=y"), STUDY))
        .isEqualTo("quantail sweep a.yaml --run 'runs/my study'");
  }

  @Test
  void shouldNotNameAStudyTwice() {
    assertThat(RunDirectoryOption.named("cartpole", "population")).isEqualTo("cartpole-population");
    assertThat(RunDirectoryOption.named("cartpole-population", "population"))
        .isEqualTo("cartpole-population");
    assertThat(RunDirectoryOption.named("walk-forward", "walkforward")).isEqualTo("walk-forward");
  }
}
