package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.SmallRuns;
import io.quantail.critic.ReturnScale;
import io.quantail.env.classic.CartPole;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("NET-4")
class HiddenStatisticsTest {
  /** Width 2, two slots; a lane of one environment and a lane of two. */
  @Test
  void shouldDescribeEachLayerOverAllLanes() {
    float[] single = {3, 4, 1, 1};
    float[] pair = {0, 0, 6, 8, 1, 1, 1, 1};
    List<HiddenStatistics> layers = HiddenStatistics.of(List.of(single, pair), 2, 2);
    assertThat(layers).hasSize(2);
    HiddenStatistics first = layers.get(0);
    assertThat(first.mean()).isCloseTo(21.0 / 6, within(1e-12));
    assertThat(first.std()).isCloseTo(Math.sqrt(125.0 / 6 - 12.25), within(1e-12));
    assertThat(first.norm()).isCloseTo(Math.sqrt((25 + 0 + 100) / 3.0), within(1e-12));
    assertThat(layers.get(1)).isEqualTo(new HiddenStatistics(1, 0, Math.sqrt(2)));
  }

  @Test
  void shouldReportEveryMemoryAndLayerOfARollout() {
    try (Experience experience =
        new Experience(SmallRuns.config("network.layers=2"), index -> new CartPole())) {
      experience.collect(ReturnScale.IDENTITY);
      assertThat(experience.collector().hiddenStatistics())
          .hasSize(4)
          .allSatisfy(layer -> assertThat(layer.norm()).isPositive());
    }
  }

  @Test
  void shouldReportNothingWithoutMemory() {
    try (Experience experience =
        new Experience(SmallRuns.config("network.memory=none"), index -> new CartPole())) {
      experience.collect(ReturnScale.IDENTITY);
      assertThat(experience.collector().hiddenStatistics()).isEmpty();
    }
  }
}
