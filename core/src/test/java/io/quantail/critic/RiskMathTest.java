package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RiskMathTest {
  private static final double UNCAPPED = Double.POSITIVE_INFINITY;

  @Test
  void shouldAverageTheWorstSamples() {
    double[] samples = {5, 1, 4, 2, 3};
    assertThat(RiskMath.empirical(samples, 0.4, 0)).isEqualTo(new RiskMath.Empirical(1.5, 2));
    assertThat(RiskMath.empirical(samples, 0.41, 0)).isEqualTo(new RiskMath.Empirical(2, 3));
    assertThat(RiskMath.empirical(samples, 1e-9, 0)).isEqualTo(new RiskMath.Empirical(1, 1));
    assertThat(RiskMath.empirical(samples, 1, 0.25).cvar()).isEqualTo(3);
    assertThat(RiskMath.empirical(samples, 0.2, 0.25).cvar()).isEqualTo(2);
  }

  @Test
  void shouldKnowThinTails() {
    double[] samples = new double[200];
    assertThat(RiskMath.empirical(samples, 0.05, 0).fewSamples()).isFalse();
    assertThat(RiskMath.empirical(samples, 0.045, 0).fewSamples()).isTrue();
  }

  @Test
  void shouldRefuseWhatHasNoTail() {
    double[] one = {1};
    assertThatThrownBy(() -> RiskMath.empirical(new double[0], 0.1, 0))
        .hasMessageContaining("at least one sample");
    assertThatThrownBy(() -> RiskMath.empirical(one, 0, 0)).hasMessageContaining("(0, 1], was 0.0");
    assertThatThrownBy(() -> RiskMath.empirical(one, 0.1, 0.5)).hasMessageContaining("[0, 0.5)");
    assertThatThrownBy(() -> RiskMath.empirical(one, 0.1, -1)).hasMessageContaining("[0, 0.5)");
  }

  @ParameterizedTest
  @CsvSource({"NaN", "Infinity", "-Infinity"})
  void shouldKeepTheMultiplierWhenTheGapIsNotFinite(double gap) {
    assertThat(RiskMath.dual(0.3, 0.1, gap, 1)).isEqualTo(0.3);
  }

  @Test
  void shouldEndTheGradientOfTheTermsAtTheirCap() {
    try (Scope scope = Scope.open()) {
      assertThat(penaltyGradient(-1, 0.2, 0.5)).isCloseTo(-0.2, within(1e-12));
      assertThat(penaltyGradient(-5, 0.2, 0.5)).isZero();
      assertThat(constraintGradient(-3, UNCAPPED)).isCloseTo(-0.4, within(1e-12));
      assertThat(constraintGradient(-3, 0.5)).isZero();
      assertThat(constraintGradient(-1, 0.5)).as("limit met").isZero();
    }
  }

  private static double penaltyGradient(double cvar, double weight, double cap) {
    Tensor leaf = Tensor.of(new double[] {cvar}, 1).requireGradient();
    RiskMath.penalty(leaf, weight, cap).backward();
    return leaf.gradient().item();
  }

  private static double constraintGradient(double cvar, double cap) {
    Tensor leaf = Tensor.of(new double[] {cvar}, 1).requireGradient();
    RiskMath.constraint(leaf, -1.5, 0.4, cap).backward();
    return leaf.gradient().item();
  }

  @Test
  void shouldRampUpAndStartAgain() {
    double[] explained = {0.3, 0.2, 0.3, 0.3, 0.3, 0.3};
    double[] weights = new double[explained.length];
    int consecutive = 0;
    for (int i = 0; i < explained.length; i++) {
      consecutive = RiskMath.consecutive(consecutive, explained[i], 0.25);
      weights[i] = RiskMath.rampedWeight(consecutive, 3, 0.6, 0.5);
    }
    assertThat(weights).containsExactly(new double[] {0.2, 0, 0.2, 0.4, 0.5, 0.5}, within(1e-12));
    assertThat(RiskMath.consecutive(4, Double.NaN, 0.25)).isZero();
    assertThat(RiskMath.rampedWeight(0, 0, 0.6, 1)).isZero();
    assertThat(RiskMath.rampedWeight(1, 0, 0.6, 1)).isEqualTo(0.6);
  }

  @Test
  void shouldNotTouchTheSamples() {
    double[] samples = {3, 1, 2};
    RiskMath.empirical(samples, 0.5, 0.1);
    assertThat(Arrays.toString(samples)).isEqualTo("[3.0, 1.0, 2.0]");
  }
}
