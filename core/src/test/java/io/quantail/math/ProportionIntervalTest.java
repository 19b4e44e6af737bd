package io.quantail.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("MET-1")
class ProportionIntervalTest {
  @Test
  void shouldHaveNoIntervalWithoutTrials() {
    assertThat(ProportionInterval.wilson(0, 0, 0.95).low()).isNaN();
    assertThat(ProportionInterval.exact(0, 0, 0.95).high()).isNaN();
  }

  /** Without a success the upper bound solves {@code (1 - p)^n = 0.025}. */
  @ParameterizedTest
  @CsvSource({"1", "7", "100", "20000"})
  void shouldReachTheEndWhereAllTrialsAgree(long trials) {
    double bound = 1 - Math.pow(0.025, 1.0 / trials);
    assertThat(ProportionInterval.exact(0, trials, 0.95).low()).isZero();
    assertThat(ProportionInterval.exact(0, trials, 0.95).high()).isCloseTo(bound, within(1e-10));
    assertThat(ProportionInterval.exact(trials, trials, 0.95).high()).isEqualTo(1);
    assertThat(ProportionInterval.exact(trials, trials, 0.95).low())
        .isCloseTo(1 - bound, within(1e-10));
    assertThat(ProportionInterval.wilson(0, trials, 0.95).low()).isZero();
    assertThat(ProportionInterval.wilson(trials, trials, 0.95).high()).isEqualTo(1);
  }

  /** At the bounds, as many successes or more, and as many or fewer, have a probability of 5 %. */
  @ParameterizedTest
  @CsvSource({"1, 3", "5, 9", "30, 40", "1, 200", "150, 300", "1500, 2048"})
  void shouldSolveTheBinomialTails(int successes, int trials) {
    ProportionInterval interval = ProportionInterval.exact(successes, trials, 0.9);
    assertThat(1 - atMost(successes - 1, trials, interval.low())).isCloseTo(0.05, within(1e-9));
    assertThat(atMost(successes, trials, interval.high())).isCloseTo(0.05, within(1e-9));
    ProportionInterval wilson = ProportionInterval.wilson(successes, trials, 0.9);
    double rate = (double) successes / trials;
    assertThat(wilson.low()).isBetween(interval.low(), rate);
    assertThat(wilson.high()).isBetween(rate, interval.high());
  }

  /** The binomial distribution function, term by term. */
  private static double atMost(int successes, int trials, double rate) {
    double logTerm = trials * Math.log1p(-rate);
    double sum = Math.exp(logTerm);
    for (int k = 1; k <= successes; k++) {
      logTerm += Math.log((double) (trials - k + 1) / k) + Math.log(rate) - Math.log1p(-rate);
      sum += Math.exp(logTerm);
    }
    return sum;
  }
}
