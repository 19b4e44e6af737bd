package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CvarMethod;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the quadratic zone of the quantile loss costs: the CVaR of the quantiles that minimise the
 * expected loss over a standard normal distribution, against the true one. The numbers are those of
 * {@code docs/risk.md}.
 */
class HuberBiasTest {
  private static final int QUANTILES = 32;
  private static final double ALPHA = 0.05;
  private static final double REACH = 8;
  private static final int CELLS = 1_600;

  @ParameterizedTest
  @CsvSource({"1, 0.217", "0.3, 0.107", "0.1, 0.065", "0.05, 0.054"})
  void shouldUnderstateTheTailByTheDocumentedShare(double kappa, double error) {
    double[] levels = new QuantileCritic(QUANTILES, kappa).levels();
    double[] learned = Arrays.stream(levels).map(level -> minimizer(level, kappa)).toArray();
    double truth = StandardNormal.conditionalMean(ALPHA);
    double cvar = Cvar.ofQuantiles(learned, ALPHA, CvarMethod.POINT_MASS);

    assertThat(1 - cvar / truth).isCloseTo(error, within(0.001));
  }

  /** Where the expected gradient of the loss changes its sign, by bisection. */
  private static double minimizer(double level, double kappa) {
    double low = -5;
    double high = 5;
    for (int i = 0; i < 40; i++) {
      double middle = (low + high) / 2;
      if (pull(middle, level, kappa) > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  private static double pull(double quantile, double level, double kappa) {
    double sum = 0;
    for (int i = 0; i <= CELLS; i++) {
      double x = -REACH + 2 * REACH * i / CELLS;
      double error = x - quantile;
      double weight = error < 0 ? 1 - level : level;
      sum += Math.exp(-x * x / 2) * weight * Math.max(-kappa, Math.min(kappa, error));
    }
    return sum;
  }
}
