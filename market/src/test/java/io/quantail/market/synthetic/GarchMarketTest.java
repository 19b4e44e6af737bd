package io.quantail.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("EVID-9")
class GarchMarketTest {
  private static final MarketModel.Garch MODEL = new MarketModel.Garch(2e-6, 0.08, 0.90, 5);
  private static final int SIZE = 100_000;
  private static final Bars BARS =
      SyntheticMarketGenerator.generate(MODEL, SIZE, SampleBars.HOUR, 3, false);

  private static double volatility(int t) {
    return BARS.extra(SyntheticMarketGenerator.STATE, t);
  }

  private static double logReturn(int t) {
    return Math.log(BARS.close(t) / BARS.open(t));
  }

  @Test
  void shouldFollowTheRecursionOfTheVariance() {
    double variance = 2e-6 / (1 - 0.98);
    for (int t = 0; t < 1000; t++) {
      variance = 2e-6 + 0.08 * Math.pow(logReturn(t), 2) + 0.90 * variance;
      assertThat(volatility(t)).isCloseTo(Math.sqrt(variance), within(1e-12));
    }
  }

  /** The fraction of returns below the true quantile of their bar is its level. */
  @Test
  void shouldKnowTheDistributionOfTheNextReturn() {
    for (double level : new double[] {0.01, 0.05, 0.5, 0.9}) {
      double unit = MODEL.quantile(level, 1);
      int below = 0;
      for (int t = 0; t < SIZE - 1; t++) {
        below += logReturn(t + 1) < unit * volatility(t) ? 1 : 0;
      }
      double error = Math.sqrt(level * (1 - level) / SIZE);
      assertThat((double) below / (SIZE - 1)).isCloseTo(level, within(3.5 * error));
      assertThat(MODEL.quantile(level, 0.02)).isCloseTo(0.02 * unit, within(1e-15));
    }
    double sum = 0;
    int count = 0;
    for (int t = 0; t < SIZE - 1; t++) {
      if (logReturn(t + 1) < MODEL.quantile(0.05, 1) * volatility(t)) {
        sum += logReturn(t + 1) / volatility(t);
        count++;
      }
    }
    assertThat(sum / count).isCloseTo(MODEL.cvar(0.05, 1), within(0.05));
  }

  @Test
  void shouldClusterItsVolatility() {
    double mean = 0;
    for (int t = 0; t < SIZE; t++) {
      mean += Math.pow(logReturn(t), 2) / SIZE;
    }
    assertThat(Math.sqrt(mean)).isCloseTo(0.01, within(0.001));
    double covariance = 0;
    for (int t = 1; t < SIZE; t++) {
      covariance += (Math.abs(logReturn(t)) - 0.0075) * (Math.abs(logReturn(t - 1)) - 0.0075);
    }
    assertThat(covariance / SIZE / mean).isGreaterThan(0.03);
  }

  @Test
  void shouldRefuseParametersWithoutVariance() {
    assertThatThrownBy(() -> new MarketModel.Garch(1e-6, 0.2, 0.8, 5))
        .hasMessageContaining("alpha + beta < 1");
    assertThatThrownBy(() -> new MarketModel.Garch(1e-6, 0.1, 0.8, 2))
        .hasMessageContaining("larger than 2");
  }
}
