package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.CartPole;
import io.quantail.network.RecurrentState;
import io.quantail.rollout.Experience;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("NET-4")
class HiddenStateStatisticsTest {
  /** Width 2, two slots; a lane of one environment and a lane of two. */
  @Test
  void shouldDescribeEachLayerOverAllLanes() {
    RecurrentState single =
        RecurrentState.of(new float[] {3, 4, 1, 1}, new float[] {0, -7, 0.5f, 0}, 2, 2);
    RecurrentState pair =
        RecurrentState.of(
            new float[] {0, 0, 6, -8, 1, 1, 1, 1}, new float[] {1, 2, 3, 4, 0, 0, 0, 0.25f}, 2, 2);
    List<HiddenStateStatistics> layers = HiddenStateStatistics.of(List.of(single, pair), 2);
    assertThat(layers).hasSize(2);
    HiddenStateStatistics first = layers.get(0);
    assertThat(first.mean()).isCloseTo(5.0 / 6, within(1e-12));
    assertThat(first.std()).isCloseTo(Math.sqrt(125.0 / 6 - 25.0 / 36), within(1e-12));
    assertThat(first.norm()).isCloseTo(Math.sqrt((25 + 0 + 100) / 3.0), within(1e-12));
    assertThat(first.saturated()).isCloseTo(4.0 / 6, within(1e-12));
    assertThat(first.cellMaxAbs()).isEqualTo(7);
    assertThat(layers.get(1)).isEqualTo(new HiddenStateStatistics(1, 0, Math.sqrt(2), 1, 0.5));
  }

  @Test
  void shouldReportEveryMemoryAndLayerOfARollout() {
    try (Experience experience =
        new Experience(
            SmallRuns.of(RunConfig.defaults(), "network.layers=2"), index -> new CartPole())) {
      experience.collect();
      assertThat(HiddenStateStatistics.of(experience.collector().states(), 4))
          .hasSize(4)
          .allSatisfy(layer -> assertThat(layer.norm()).isPositive());
    }
  }

  @Test
  void shouldReportNothingWithoutMemory() {
    try (Experience experience =
        new Experience(
            SmallRuns.of(RunConfig.defaults(), "network.memory=none"), index -> new CartPole())) {
      experience.collect();
      assertThat(experience.collector().states())
          .allSatisfy(state -> assertThat(state.hidden()).isEmpty());
    }
  }
}
