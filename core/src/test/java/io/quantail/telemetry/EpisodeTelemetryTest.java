package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.vector.EpisodeSummary;
import io.quantail.metrics.Metrics;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Requirement("MON-1")
class EpisodeTelemetryTest {

  /** Seven of ten episodes are won, as in the vector {@code win_rate_intervals}. */
  @Test
  void shouldCountEpisodesWithAPositiveSumOfRewardsAsWon() {
    Metrics metrics = new Metrics();
    EpisodeTelemetry.wins(
        metrics,
        IntStream.range(0, 10)
            .mapToObj(i -> new EpisodeSummary(0, i < 7 ? 0.5 : i == 7 ? 0 : -1, 3, false))
            .toList());

    Map<String, Double> values = metrics.snapshot();
    assertThat(values)
        .hasSize(7)
        .containsEntry("rollout/win_rate", 0.7)
        .containsEntry("rollout/win_rate_total_episodes", 10.0)
        .containsEntry("rollout/win_rate_total_wins", 7.0);
    assertThat(values.get("rollout/win_rate_wilson_low")).isCloseTo(0.3967781, within(1e-6));
    assertThat(values.get("rollout/win_rate_wilson_high")).isCloseTo(0.8922087, within(1e-6));
    assertThat(values.get("rollout/win_rate_cp_low")).isCloseTo(0.3475471, within(1e-6));
    assertThat(values.get("rollout/win_rate_cp_high")).isCloseTo(0.9332605, within(1e-6));
  }

  @Test
  void shouldHaveNoWinRateWithoutEpisodes() {
    Metrics metrics = new Metrics();
    EpisodeTelemetry.wins(metrics, List.of());
    assertThat(metrics.snapshot()).isEmpty();
  }

  /**
   * Environment 0 gets 1, 3: Sharpe ratio 2 / sqrt(2), no fall. Environment 1 gets 0.1, -0.2, then
   * 0.5 in a new episode: a fall of 0.2. In one series of both, the fall would be another one.
   */
  @Test
  void shouldMeasureEachEnvironmentAlone() {
    double[] rewards = {1, 0.1, 3, -0.2};
    Metrics metrics = new Metrics();
    EpisodeTelemetry.rewards(metrics, rewards, 2, transition -> false);

    double second = -0.05 / Math.sqrt(2 * 0.15 * 0.15);
    assertThat(metrics.snapshot().get("rollout/sharpe_ratio"))
        .isCloseTo((2 / Math.sqrt(2) + second) / 2, within(1e-12));
    assertThat(metrics.snapshot().get("rollout/max_drawdown"))
        .isCloseTo((1 - Math.exp(-0.2)) / 2, within(1e-12));
  }

  @Test
  void shouldStartEveryEpisodeWithAnAccountOfItsOwn() {
    double[] rewards = {-0.1, -0.1, -0.1, -0.3};
    Metrics whole = new Metrics();
    EpisodeTelemetry.rewards(whole, rewards, 1, transition -> false);
    Metrics parted = new Metrics();
    EpisodeTelemetry.rewards(parted, rewards, 1, transition -> transition == 2);

    assertThat(whole.snapshot().get("rollout/max_drawdown"))
        .isCloseTo(1 - Math.exp(-0.6), within(1e-12));
    assertThat(parted.snapshot().get("rollout/max_drawdown"))
        .isCloseTo(1 - Math.exp(-0.3), within(1e-12));
  }

  @Test
  void shouldLeaveOutTheSharpeRatioOfConstantRewards() {
    Metrics metrics = new Metrics();
    EpisodeTelemetry.rewards(metrics, new double[] {1000, 1000, 1000}, 1, transition -> false);
    assertThat(metrics.snapshot()).containsOnlyKeys("rollout/max_drawdown");

    double[] oneVaries = {1, 1, 1, 2};
    Metrics some = new Metrics();
    EpisodeTelemetry.rewards(some, oneVaries, 2, transition -> false);
    assertThat(some.snapshot().get("rollout/sharpe_ratio"))
        .isCloseTo(1.5 / Math.sqrt(0.5), within(1e-12));
  }
}
