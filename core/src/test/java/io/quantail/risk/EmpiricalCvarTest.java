package io.quantail.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmpiricalCvarTest {
  private static final double UNCAPPED = Double.POSITIVE_INFINITY;

  @Test
  void shouldAverageTheWorstSamples() {
    double[] samples = {5, 1, 4, 2, 3};
    assertThat(EmpiricalCvar.empirical(samples, 0.4, 0))
        .isEqualTo(new EmpiricalCvar.Empirical(1.5, 2));
    assertThat(EmpiricalCvar.empirical(samples, 0.41, 0))
        .isEqualTo(new EmpiricalCvar.Empirical(2, 3));
    assertThat(EmpiricalCvar.empirical(samples, 1e-9, 0))
        .isEqualTo(new EmpiricalCvar.Empirical(1, 1));
    assertThat(EmpiricalCvar.empirical(samples, 1, 0.25).cvar()).isEqualTo(3);
    assertThat(EmpiricalCvar.empirical(samples, 0.2, 0.25).cvar()).isEqualTo(2);
  }

  @Test
  void shouldKnowThinTails() {
    double[] samples = new double[200];
    assertThat(EmpiricalCvar.empirical(samples, 0.05, 0).fewSamples()).isFalse();
    assertThat(EmpiricalCvar.empirical(samples, 0.045, 0).fewSamples()).isTrue();
  }

  @Test
  void shouldRefuseWhatHasNoTail() {
    double[] one = {1};
    assertThatThrownBy(() -> EmpiricalCvar.empirical(new double[0], 0.1, 0))
        .hasMessageContaining("at least one sample");
    assertThatThrownBy(() -> EmpiricalCvar.empirical(one, 0, 0))
        .hasMessageContaining("(0, 1], was 0.0");
    assertThatThrownBy(() -> EmpiricalCvar.empirical(one, 0.1, 0.5))
        .hasMessageContaining("[0, 0.5)");
    assertThatThrownBy(() -> EmpiricalCvar.empirical(one, 0.1, -1))
        .hasMessageContaining("[0, 0.5)");
  }

  @ParameterizedTest
  @CsvSource({"NaN", "Infinity", "-Infinity"})
  void shouldKeepTheMultiplierWhenTheGapIsNotFinite(double gap) {
    assertThat(EmpiricalCvar.dual(0.3, 0.1, gap, 1)).isEqualTo(0.3);
  }

  @Test
  void shouldEndTheGradientOfTheTermsAtTheirCap() {
    assertThat(EmpiricalCvar.penalty(-1, 0.2, 0.5)).isEqualTo(new EmpiricalCvar.Term(0.2, -0.2));
    assertThat(EmpiricalCvar.penalty(-5, 0.2, 0.5)).isEqualTo(new EmpiricalCvar.Term(0.5, 0));
    assertThat(EmpiricalCvar.penalty(5, 0.2, 0.5)).isEqualTo(new EmpiricalCvar.Term(-0.5, 0));
    EmpiricalCvar.Term uncapped = EmpiricalCvar.constraint(-3, -1.5, 0.4, UNCAPPED);
    assertThat(uncapped.value()).isCloseTo(0.6, within(1e-12));
    assertThat(uncapped.slope()).isEqualTo(-0.4);
    assertThat(EmpiricalCvar.constraint(-3, -1.5, 0.4, 0.5))
        .isEqualTo(new EmpiricalCvar.Term(0.5, 0));
    assertThat(EmpiricalCvar.constraint(-1, -1.5, 0.4, 0.5))
        .as("constraint satisfied")
        .isEqualTo(new EmpiricalCvar.Term(0, 0));
  }

  /** Free, at the cap, beyond it, and with the constraint satisfied. */
  @ParameterizedTest
  @CsvSource({"-1", "-2.2", "-3.9", "0.3", "2.1", "7"})
  void shouldHaveTheSlopeOfFiniteDifferences(double cvar) {
    double step = 1e-6;
    double penalty =
        EmpiricalCvar.penalty(cvar + step, 0.2, 0.5).value()
            - EmpiricalCvar.penalty(cvar - step, 0.2, 0.5).value();
    assertThat(EmpiricalCvar.penalty(cvar, 0.2, 0.5).slope())
        .isCloseTo(penalty / (2 * step), within(1e-8));
    double constraint =
        EmpiricalCvar.constraint(cvar + step, -1.5, 0.4, 0.5).value()
            - EmpiricalCvar.constraint(cvar - step, -1.5, 0.4, 0.5).value();
    assertThat(EmpiricalCvar.constraint(cvar, -1.5, 0.4, 0.5).slope())
        .isCloseTo(constraint / (2 * step), within(1e-8));
  }

  @Test
  void shouldRampUpAndStartAgain() {
    double[] explained = {0.3, 0.2, 0.3, 0.3, 0.3, 0.3};
    double[] weights = new double[explained.length];
    int consecutive = 0;
    for (int i = 0; i < explained.length; i++) {
      consecutive = EmpiricalCvar.consecutive(consecutive, explained[i], 0.25);
      weights[i] = EmpiricalCvar.rampedWeight(consecutive, 3, 0.6, 0.5);
    }
    assertThat(weights).containsExactly(new double[] {0.2, 0, 0.2, 0.4, 0.5, 0.5}, within(1e-12));
    assertThat(EmpiricalCvar.consecutive(4, Double.NaN, 0.25)).isZero();
    assertThat(EmpiricalCvar.rampedWeight(0, 0, 0.6, 1)).isZero();
    assertThat(EmpiricalCvar.rampedWeight(1, 0, 0.6, 1)).isEqualTo(0.6);
  }

  @Test
  void shouldNotTouchTheSamples() {
    double[] samples = {3, 1, 2};
    EmpiricalCvar.empirical(samples, 0.5, 0.1);
    assertThat(Arrays.toString(samples)).isEqualTo("[3.0, 1.0, 2.0]");
  }
}
