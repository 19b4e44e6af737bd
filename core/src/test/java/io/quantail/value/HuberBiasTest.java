package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.math.StandardNormal;
import io.quantail.testing.vectors.Floats;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the quadratic zone of the quantile loss costs: the CVaR of the quantiles that minimise the
 * expected loss over a standard normal distribution, against the true one. The numbers are those of
 * {@code docs/guides/train-under-a-limit.md}.
 */
class HuberBiasTest {
  private static final int QUANTILES = 32;
  private static final double ALPHA = 0.05;
  private static final double REACH = 8;
  private static final int CELLS = 1_600;
  private static final int HALVINGS = 20;

  @ParameterizedTest
  @CsvSource({"1, 0.217", "0.3, 0.107", "0.1, 0.065", "0.05, 0.054", "0, 0.043"})
  void shouldUnderstateTheTailByTheDocumentedShare(double kappa, double error) {
    double[] learned = Floats.widened(minimizers(new QuantileCritic(QUANTILES, kappa)));
    double truth = StandardNormal.conditionalMean(ALPHA);
    double cvar = Cvar.ofQuantiles(learned, ALPHA, RiskConfig.CvarMethod.POINT_MASS);

    assertThat(1 - cvar / truth).isCloseTo(error, within(0.001));
  }

  /** Where the expected gradient of the loss changes its sign, by bisection. */
  private static float[] minimizers(Critic critic) {
    float[] low = new float[QUANTILES];
    float[] high = new float[QUANTILES];
    Arrays.fill(low, -5);
    Arrays.fill(high, 5);
    float[] middle = new float[QUANTILES];
    for (int i = 0; i < HALVINGS; i++) {
      for (int j = 0; j < QUANTILES; j++) {
        middle[j] = (low[j] + high[j]) / 2;
      }
      double[] gradient = expectedGradient(critic, middle);
      for (int j = 0; j < QUANTILES; j++) {
        float[] bound = gradient[j] < 0 ? low : high;
        bound[j] = middle[j];
      }
    }
    return middle;
  }

  private static double[] expectedGradient(Critic critic, float[] quantiles) {
    double[] sum = new double[QUANTILES];
    float[] gradient = new float[QUANTILES];
    for (int i = 0; i <= CELLS; i++) {
      double x = -REACH + 2 * REACH * i / CELLS;
      critic.loss(quantiles, 0, new float[] {(float) x}, 0, 1, Math.exp(-x * x / 2), gradient);
      for (int j = 0; j < QUANTILES; j++) {
        sum[j] += gradient[j];
      }
    }
    return sum;
  }
}
