package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RatioBound;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PolicyLossTest {
  private Scope scope;

  @BeforeEach
  void openScope() {
    scope = Scope.open();
  }

  @AfterEach
  void closeScope() {
    scope.close();
  }

  @Requirement("POL-1")
  @Test
  void shouldKeepGradientsUnderTheSmoothBoundOnly() {
    double[] logRatios = {-45, -25, 25, 45};
    assertThat(ratioGradient(logRatios, RatioBound.HARD)).containsOnly(0);
    for (double gradient : ratioGradient(logRatios, RatioBound.SMOOTH)) {
      assertThat(gradient).isPositive();
    }
  }

  private static double[] ratioGradient(double[] logRatios, RatioBound bound) {
    Tensor leaf = Tensor.of(logRatios, logRatios.length).requireGradient();
    PolicyLoss.ratio(leaf, bound).sum().backward();
    return leaf.gradient().doubles();
  }

  @Requirement("POL-1")
  @Test
  void shouldBoundTheRatioEitherWay() {
    double largest = Math.exp(20);
    for (RatioBound bound : RatioBound.values()) {
      double[] ratio = PolicyLoss.ratio(Tensor.of(new double[] {-1e6, 1e6}, 2), bound).doubles();
      assertThat(ratio[0]).isCloseTo(1 / largest, within(1e-15));
      assertThat(ratio[1]).isCloseTo(largest, within(1e-3));
    }
  }

  @Requirement("POL-1")
  @Test
  void shouldAgreeNearOneUnderBothBounds() {
    Tensor logRatio = Tensor.of(new double[] {-0.02, 0, 0.02}, 3);
    assertThat(PolicyLoss.ratio(logRatio, RatioBound.SMOOTH).doubles())
        .containsExactly(PolicyLoss.ratio(logRatio, RatioBound.HARD).doubles(), within(1e-7));
  }

  /** Raising the probability of a good action and lowering that of a bad one lowers the loss. */
  @Requirement("POL-1")
  @Test
  void shouldPushTheProbabilitiesTheRightWay() {
    Tensor logRatio = Tensor.of(new double[] {0, 0}, 2).requireGradient();
    Tensor advantages = Tensor.of(new double[] {2, -3}, 2);
    PolicyLoss.clippedSurrogate(PolicyLoss.ratio(logRatio, RatioBound.HARD), advantages, 0.2)
        .sum()
        .neg()
        .backward();
    assertThat(logRatio.gradient().doubles()).containsExactly(-2, 3);
  }

  @Requirement("AWR-1")
  @Test
  void shouldCapCloningWeightsBeforeTheExponential() {
    Tensor advantages = Tensor.of(new double[] {0, 5, -5, 1e6, -1e6}, 5);
    assertThat(PolicyLoss.cloningWeights(advantages, 5).doubles())
        .containsExactly(new double[] {1, Math.E, 1 / Math.E, 100, 0}, within(1e-9));
  }

  @Requirement("AWR-1")
  @Test
  void shouldDifferentiateCloningThroughTheLogProbabilityOnly() {
    Tensor logProbability = Tensor.of(new double[] {1, -2}, 2).requireGradient();
    Tensor advantages = Tensor.of(new double[] {5, 0}, 2).requireGradient();
    PolicyLoss.cloning(logProbability, advantages, 5).sum().backward();
    assertThat(logProbability.gradient().doubles())
        .containsExactly(new double[] {-Math.E, -1}, within(1e-12));
    assertThatThrownBy(advantages::gradient).hasMessageContaining("no gradient");
  }
}
