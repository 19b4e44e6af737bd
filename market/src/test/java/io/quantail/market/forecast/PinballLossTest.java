package io.quantail.market.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import org.junit.jupiter.api.Test;

class PinballLossTest {
  private static final double[] LEVELS = {0.1, 0.5, 0.8};

  /** By hand: 0.1 · (1 − −2) = 0.3, 0.5 · (1 − 0) = 0.5, 0.2 · (3 − 1) = 0.4. */
  @Test
  void shouldWeighDistancesByLevel() {
    double[] gradient = new double[3];
    assertThat(PinballLoss.of(LEVELS, new double[] {-2, 0, 3}, 1, gradient))
        .isCloseTo(1.2 / 3, within(1e-15));
    assertThat(gradient).containsExactly(new double[] {-0.1 / 3, -0.5 / 3, 0.2 / 3}, within(1e-15));
  }

  @Test
  void shouldHaveSlope0WhereQuantileAndTargetAreEqual() {
    double[] gradient = {7, 7, 7};
    assertThat(PinballLoss.of(LEVELS, new double[] {1, 1, 1}, 1, gradient)).isZero();
    assertThat(gradient).containsExactly(0, 0, 0);
  }

  @Test
  void shouldAgreeWithFiniteDifferences() {
    RandomStream random = RandomStream.of(4, "pinball", 0);
    for (int round = 0; round < 50; round++) {
      double[] quantiles = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
      double target = random.nextGaussian();
      double[] gradient = new double[3];
      PinballLoss.of(LEVELS, quantiles, target, gradient);
      for (int i = 0; i < 3; i++) {
        double[] moved = quantiles.clone();
        moved[i] += 1e-7;
        double above = PinballLoss.of(LEVELS, moved, target, new double[3]);
        moved[i] -= 2e-7;
        double below = PinballLoss.of(LEVELS, moved, target, new double[3]);
        assertThat(gradient[i]).isCloseTo((above - below) / 2e-7, within(1e-6));
      }
    }
  }
}
