package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Levels 0.125, 0.375, 0.625 and 0.875 hold 0, 10, 20 and 40. Below, the tail has the slope 10 / ln
 * 3 in the logarithm of the level, above 20 / ln 3: their means are that far beyond the outermost
 * quantiles, each at a weight of 1/8, and the mean of the distribution is 17.5 + 10 / (8 ln 3).
 */
class QuantileLevelTest {
  private static final double MEAN = 17.5 + 10 / (8 * Math.log(3));

  /** With the mean head at the mean; the quantiles at offset 0 cross. */
  @ParameterizedTest
  @CsvSource({
    "0.375, 10",
    "0.5, 15",
    "0.25, 5",
    "0.75, 30",
    "0.125, 0",
    "0.875, 40",
    "0.041666666666666667, -10", // a third of the lowest level
    "0.958333333333333333, 60"
  })
  void shouldInterpolateBetweenSortedQuantilesWithTails(double level, double expected) {
    float[] outputs = {20, 0, 40, 10, (float) MEAN, 0, 10, 20, 40, (float) MEAN};
    QuantileCritic critic = new QuantileCritic(4, 1, true);
    for (int offset : new int[] {0, 5}) {
      critic.read(outputs, offset);
      assertThat(critic.quantile(level)).isCloseTo(expected, within(1e-5));
      assertThat(critic.draw(level)).isEqualTo(critic.quantile(level));
      assertThat(critic.level(expected)).isCloseTo(level, within(1e-6));
    }
  }

  @Test
  void shouldMoveTheDistributionOntoTheMeanHead() {
    QuantileCritic critic = new QuantileCritic(4, 1, true);
    critic.read(new float[] {0, 10, 20, 40, (float) MEAN - 3}, 0);
    assertThat(critic.quantile(0.5)).isCloseTo(12, within(1e-5));
    assertThat(critic.meanGap()).isCloseTo(3, within(1e-5));
  }

  /** One of the three pairs of neighbours is in the wrong order. */
  @Test
  void shouldCountQuantilesThatCross() {
    QuantileCritic critic = new QuantileCritic(4, 1, true);
    float[] outputs = {9, 0, 20, 20, 10, 5};
    critic.read(outputs, 1);
    assertThat(critic.irregularity(outputs, 1)).isCloseTo(1.0 / 3, within(1e-12));
  }

  @Test
  void shouldTakeTheOnlyQuantileForEveryLevel() {
    QuantileCritic critic = new QuantileCritic(1, 1);
    critic.read(new float[] {7}, 0);
    assertThat(critic.quantile(0.9)).isEqualTo(7);
  }
}
