package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Measures of windows: numbers worked by hand, and a plain loop over each window. */
@Requirement("REP-2")
class RollingMeasuresTest {
  private static final double[] OWN = {0.01, 0.03, 0.02, -0.02};
  private static final double[] MARKET = {0.02, 0.06, 0.04, 0.04};

  /** Returns 1, 3, 2 %: mean 2 %, deviation 1 %; half of those of the market. */
  @Test
  void shouldMeasureEachWindow() {
    RollingMeasures rolling =
        RollingMeasures.of(Curves.ofReturns(365, OWN), Curves.ofReturns(365, MARKET), 3);
    assertThat(rolling.annualised()).as("three days").isFalse();
    assertThat(rolling.times()).containsExactly(3, 4);
    assertThat(rolling.sharpe()[0]).isCloseTo(2, within(1e-9));
    assertThat(rolling.volatility()[0]).isCloseTo(0.01, within(1e-9));
    assertThat(rolling.beta()[0]).isCloseTo(0.5, within(1e-9));
    // 3, 2, −2 % and 6, 4, 4 %: cov = (2·4/3 + 1·(−2/3) + (−3)·(−2/3)) / 2, var = (16 + 4 + 4) / 9
    // / 2
    assertThat(rolling.beta()[1]).isCloseTo((8 / 3.0 - 2 / 3.0 + 2) / (24 / 9.0), within(1e-9));
  }

  @Test
  void shouldAnnualiseWindowsOfNinetyDays() {
    double[] returns = new double[400];
    Arrays.setAll(returns, t -> t % 2 == 0 ? 0.03 : -0.01);
    AccountCurve daily = Curves.ofReturns(365.25, returns);
    RollingMeasures rolling = RollingMeasures.of(daily, daily).orElseThrow();
    assertThat(rolling.window()).as("a quarter of the bars").isEqualTo(100);
    assertThat(rolling.annualised()).isTrue();
    double deviation = 0.02 * Math.sqrt(100 / 99.0);
    assertThat(rolling.volatility()[0]).isCloseTo(deviation * Math.sqrt(365.25), within(1e-9));
    assertThat(rolling.sharpe()[7]).isCloseTo(0.01 / deviation * Math.sqrt(365.25), within(1e-9));
    AccountCurve shorter = Curves.ofReturns(365.25, Arrays.copyOf(returns, 359));
    assertThat(RollingMeasures.of(shorter, shorter).orElseThrow().annualised()).isFalse();
    AccountCurve few = Curves.ofReturns(365.25, Arrays.copyOf(returns, 79));
    assertThat(RollingMeasures.of(few, few)).isEmpty();
  }

  @Test
  void shouldEqualAPlainLoop() {
    RandomStream random = RandomStream.of(3, "rolling", 0);
    double[] market = new double[700];
    double[] own = new double[700];
    for (int t = 0; t < own.length; t++) {
      market[t] = 0.02 * random.nextGaussian();
      own[t] = t >= 300 && t < 400 ? 0 : 0.4 * market[t] + 0.01 * random.nextGaussian();
    }
    AccountCurve account = Curves.ofReturns(365, own);
    AccountCurve hold = Curves.ofReturns(365, market);
    RollingMeasures rolling = RollingMeasures.of(account, hold, 50);
    for (int i = 0; i < rolling.times().length; i++) {
      double[] r = Arrays.copyOfRange(account.returns(), i, i + 50);
      double[] b = Arrays.copyOfRange(hold.returns(), i, i + 50);
      double sharpe = ReturnSeriesStatistics.sharpe(r, 1);
      if (Double.isNaN(sharpe)) {
        assertThat(rolling.sharpe()[i]).isNaN();
        assertThat(rolling.volatility()[i]).isZero();
      } else {
        assertThat(rolling.sharpe()[i]).isCloseTo(sharpe, within(1e-9));
        assertThat(rolling.volatility()[i])
            .isCloseTo(ReturnSeriesStatistics.deviation(r), within(1e-9));
      }
      assertThat(rolling.beta()[i]).isCloseTo(beta(r, b), within(1e-9));
    }
  }

  private static double beta(double[] own, double[] market) {
    double mean = ReturnSeriesStatistics.mean(own);
    double other = ReturnSeriesStatistics.mean(market);
    double products = 0;
    double squares = 0;
    for (int t = 0; t < own.length; t++) {
      products += (own[t] - mean) * (market[t] - other);
      squares += (market[t] - other) * (market[t] - other);
    }
    return products / squares;
  }

  @Test
  void shouldHaveNoBetaWithoutAMarketThatMoves() {
    AccountCurve flat = Curves.ofReturns(365, new double[100]);
    RollingMeasures rolling = RollingMeasures.of(flat, flat).orElseThrow();
    assertThat(rolling.beta()).containsOnly(Double.NaN);
    assertThat(rolling.sharpe()).containsOnly(Double.NaN);
  }
}
