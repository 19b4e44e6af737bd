package io.quantail.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.PpoConfig;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PolicyLossTest {
  private static final double[] LOG_RATIOS = {-45, -25, -3, -0.4, -0.01, 0, 0.02, 0.3, 2, 25, 45};

  @Requirement("POL-1")
  @Test
  void shouldKeepGradientsUnderTheSmoothBoundOnly() {
    for (double logRatio : new double[] {-45, -25, 25, 45}) {
      assertThat(PolicyLoss.Ratio.of(logRatio, PpoConfig.RatioBound.HARD).slope()).isZero();
      assertThat(PolicyLoss.Ratio.of(logRatio, PpoConfig.RatioBound.SMOOTH).slope()).isPositive();
      // A bad action whose ratio has grown is pushed back, under the smooth bound alone.
      double away = Math.abs(logRatio);
      assertThat(PolicyLoss.clippedSurrogate(away, -1, 0.2, PpoConfig.RatioBound.HARD).slope())
          .isZero();
      assertThat(PolicyLoss.clippedSurrogate(away, -1, 0.2, PpoConfig.RatioBound.SMOOTH).slope())
          .isPositive();
    }
  }

  @Requirement("POL-1")
  @Test
  void shouldBoundTheRatioEitherWay() {
    double largest = Math.exp(20);
    for (PpoConfig.RatioBound bound : PpoConfig.RatioBound.values()) {
      assertThat(PolicyLoss.Ratio.of(-1e6, bound).value()).isCloseTo(1 / largest, within(1e-15));
      assertThat(PolicyLoss.Ratio.of(1e6, bound).value()).isCloseTo(largest, within(1e-3));
      assertThat(PolicyLoss.clippedSurrogate(1e6, -2, 0.2, bound).value())
          .isCloseTo(2 * largest, within(1e-2));
    }
  }

  @Requirement("POL-1")
  @Test
  void shouldAgreeNearOneUnderBothBounds() {
    for (double logRatio : new double[] {-0.02, 0, 0.02}) {
      assertThat(PolicyLoss.Ratio.of(logRatio, PpoConfig.RatioBound.SMOOTH).value())
          .isCloseTo(
              PolicyLoss.Ratio.of(logRatio, PpoConfig.RatioBound.HARD).value(), within(1e-7));
    }
  }

  /** Raising the probability of a good action and lowering that of a bad one lowers the loss. */
  @Requirement("POL-1")
  @Test
  void shouldPushTheProbabilitiesTheRightWay() {
    assertThat(PolicyLoss.clippedSurrogate(0, 2, 0.2, PpoConfig.RatioBound.HARD))
        .isEqualTo(new PolicyLoss.Term(-2, -2));
    assertThat(PolicyLoss.clippedSurrogate(0, -3, 0.2, PpoConfig.RatioBound.HARD))
        .isEqualTo(new PolicyLoss.Term(3, 3));
  }

  /** The minimum clips a good action that became more likely and a bad one that became less so. */
  @Requirement("POL-1")
  @Test
  void shouldClipOnTheSideThatTheAdvantageAsksFor() {
    double up = Math.log(1.5);
    double down = Math.log(0.5);
    assertThat(PolicyLoss.clippedSurrogate(up, 2, 0.2, PpoConfig.RatioBound.HARD))
        .isEqualTo(new PolicyLoss.Term(-2.4, 0));
    assertThat(PolicyLoss.clippedSurrogate(down, -2, 0.2, PpoConfig.RatioBound.HARD))
        .isEqualTo(new PolicyLoss.Term(1.6, 0));
    assertThat(PolicyLoss.clippedSurrogate(down, 2, 0.2, PpoConfig.RatioBound.HARD).value())
        .isCloseTo(-1, within(1e-12));
    assertThat(PolicyLoss.clippedSurrogate(up, -2, 0.2, PpoConfig.RatioBound.HARD).slope())
        .isCloseTo(3, within(1e-12));
  }

  @Requirement("POL-1")
  @ParameterizedTest
  @EnumSource
  void shouldHaveTheSlopeOfFiniteDifferences(PpoConfig.RatioBound bound) {
    double step = 1e-5;
    for (double logRatio : LOG_RATIOS) {
      for (double advantage : new double[] {1.5, -0.7}) {
        double slope = PolicyLoss.clippedSurrogate(logRatio, advantage, 0.2, bound).slope();
        double above = PolicyLoss.clippedSurrogate(logRatio + step, advantage, 0.2, bound).value();
        double below = PolicyLoss.clippedSurrogate(logRatio - step, advantage, 0.2, bound).value();
        double expected = (above - below) / (2 * step);
        assertThat(slope)
            .as("log-ratio %s, advantage %s", logRatio, advantage)
            .isCloseTo(expected, within(1e-6 + 1e-6 * Math.abs(expected)));
      }
    }
  }

  @Requirement("AWR-1")
  @Test
  void shouldCapCloningWeightsBeforeTheExponential() {
    double[] advantages = {0, 5, -5, 1e6, -1e6};
    double[] weights = {1, Math.E, 1 / Math.E, 100, 0};
    for (int i = 0; i < weights.length; i++) {
      assertThat(-PolicyLoss.cloning(1, advantages[i], 5).value())
          .isCloseTo(weights[i], within(1e-9));
    }
  }

  /** The weight is a constant: the slope by the log-probability is all there is. */
  @Requirement("AWR-1")
  @Test
  void shouldDifferentiateCloningThroughTheLogProbabilityOnly() {
    assertThat(PolicyLoss.cloning(1, 5, 5).slope()).isCloseTo(-Math.E, within(1e-12));
    assertThat(PolicyLoss.cloning(-2, 5, 5).slope()).isCloseTo(-Math.E, within(1e-12));
    assertThat(PolicyLoss.cloning(-2, 0, 5)).isEqualTo(new PolicyLoss.Term(2, -1));
  }
}
