package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.evidence.ConfidenceInterval;
import io.quantail.evidence.SharpeBootstrap;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.limits.LimitCounts;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("MET-1")
class PerformanceTest {
  private static final double[] PATTERN = {.01, -.005, .02, 0, -.01};
  private static final LimitCounts NONE = new LimitCounts(0, 0, 0, 0, 0, 0);

  private static double[] golden() {
    double[] returns = new double[30];
    Arrays.setAll(returns, i -> PATTERN[i % 5]);
    return returns;
  }

  @Test
  void shouldMatchTheGoldenValues() {
    double[] returns = golden();
    assertThat(ReturnSeriesStatistics.sharpe(returns, 2191.5)).isCloseTo(12.820394, within(1e-6));
    assertThat(PerformanceVectors.sortinoOfLosses(returns, 2191.5))
        .isCloseTo(17.764459, within(1e-6));
    assertThat(ReturnSeriesStatistics.sortino(returns, 2190)).isCloseTo(28.078461, within(1e-6));
    Performance performance = Performance.of(result(returns, constant(30, 1)), 1);
    assertThat(performance.winRate()).isEqualTo(0.5);
    assertThat(performance.profitFactor()).isCloseTo(2, within(1e-9));
    assertThat(performance.cvar()).isCloseTo(-0.01, within(1e-12));
    assertThat(performance.cvarCount()).isEqualTo(6);
    // The golden total and drawdown take the same numbers as log-returns.
    double[] simple = Arrays.stream(returns).map(Math::expm1).toArray();
    Performance logs = Performance.of(result(simple, constant(30, 1)), 1);
    assertThat(logs.totalReturn()).isCloseTo(0.094174, within(1e-6));
    assertThat(logs.maxDrawdown()).isCloseTo(0.00995, within(1e-5));
  }

  @Test
  void shouldAnnualiseAndDivideAsDocumented() {
    double[] returns = {0.1, -0.5, 0.2, 0.3};
    double last = 1.1 * 0.5 * 1.2 * 1.3;
    Performance performance = Performance.of(result(returns, constant(4, 1), 12), 1); // 4 months
    assertThat(performance.days()).isCloseTo(121.75, within(1e-9));
    assertThat(performance.annualised()).isTrue();
    assertThat(performance.totalReturn()).isCloseTo(last - 1, within(1e-12));
    assertThat(performance.annualReturn()).isCloseTo(Math.pow(last, 3) - 1, within(1e-9));
    assertThat(performance.sharpe())
        .isCloseTo(ReturnSeriesStatistics.sharpe(returns, 12), within(1e-12));
    assertThat(performance.maxDrawdown()).isCloseTo(0.5, within(1e-12));
    assertThat(performance.maxDrawdownBars()).isEqualTo(3);
    assertThat(performance.calmar()).isCloseTo(performance.annualReturn() / 0.5, within(1e-9));
    assertThat(performance.annualTurnover()).isCloseTo(0.25 * 12, within(1e-9));
  }

  /** 359 bars of 6 hours are 89.75 days, 360 are 90. */
  @Test
  @Requirement("EVID-13")
  void shouldNotAnnualiseLessThanNinetyDays() {
    double[] returns = new double[359];
    Arrays.setAll(returns, i -> PATTERN[i % 5]);
    Performance brief = Performance.of(result(returns, constant(359, 1), 1461), 1);
    assertThat(brief.annualised()).isFalse();
    for (double annualised :
        new double[] {
          brief.annualReturn(),
          brief.volatility(),
          brief.sharpe(),
          brief.sharpeInterval().low(),
          brief.sharpeInterval().high(),
          brief.sortino(),
          brief.calmar(),
          brief.annualTurnover()
        }) {
      assertThat(annualised).isNaN();
    }
    assertThat(brief.totalReturn()).isPositive();
    double[] longer = Arrays.copyOf(returns, 360);
    assertThat(Performance.of(result(longer, constant(360, 1), 1461), 1).sharpe()).isPositive();
  }

  @Test
  void shouldCountRoundTripsCostsAndExposure() {
    double[] returns = {0.1, 0.1, -0.05, 0, -0.1, 0.02};
    double[] exposures = {0.5, 0.5, 0, 0, -1, 1};
    BacktestResult result = result(returns, exposures);
    Performance performance = Performance.of(result, 1);
    // Long for three bars with a gain, short for one with a loss, long again with a gain.
    assertThat(performance.positions()).isEqualTo(3);
    assertThat(performance.positionWinRate()).isCloseTo(2.0 / 3, within(1e-12));
    assertThat(performance.exposure()).isCloseTo(1.0 / 6, within(1e-12));
    assertThat(performance.absoluteExposure()).isCloseTo(0.5, within(1e-12));
    assertThat(performance.exposureChange()).isCloseTo((0.5 + 0.5 + 1 + 2) / 6, within(1e-12));
    assertThat(performance.fees()).isEqualTo(6);
    assertThat(performance.slippage()).isEqualTo(12);
    assertThat(performance.borrow()).isEqualTo(18);
    assertThat(performance.costDrag()).isCloseTo(0.36, within(1e-12));
    assertThat(performance.trades()).isEqualTo(1);
  }

  @Test
  void shouldLeaveUndefinedWhatHasNoSpread() {
    Performance performance = Performance.of(result(new double[10], constant(10, 0)), 1);
    assertThat(performance.totalReturn()).isZero();
    assertThat(performance.maxDrawdown()).isZero();
    assertThat(performance.sharpe()).isNaN();
    assertThat(performance.sharpeInterval().low()).isNaN();
    assertThat(performance.sortino()).isNaN();
    assertThat(performance.calmar()).isNaN();
    assertThat(performance.winRate()).isNaN();
    assertThat(performance.profitFactor()).isNaN();
    assertThat(ReturnSeriesStatistics.profitFactor(new double[] {1})).isInfinite();
  }

  @Test
  void shouldRepeatTheBootstrapAndCoverTheTruth() {
    double[] returns = golden();
    ConfidenceInterval interval = SharpeBootstrap.interval(returns, 2191.5, 0.95, 7);
    assertThat(SharpeBootstrap.interval(returns, 2191.5, 0.95, 7)).isEqualTo(interval);
    assertThat(SharpeBootstrap.interval(returns, 2191.5, 0.95, 8)).isNotEqualTo(interval);
    // 95 % intervals of independent normal returns with Sharpe ratio 0.1 per bar, 100 times.
    int covered = 0;
    for (int trial = 0; trial < 100; trial++) {
      RandomStream random = RandomStream.of(trial, "coverage", 0);
      double[] sample = new double[250];
      Arrays.setAll(sample, i -> 0.1 + random.nextGaussian());
      ConfidenceInterval one = SharpeBootstrap.interval(sample, 1, 0.95, trial);
      covered += one.low() <= 0.1 && 0.1 <= one.high() ? 1 : 0;
    }
    assertThat(covered).isBetween(86, 100);
  }

  private static double[] constant(int size, double value) {
    double[] values = new double[size];
    Arrays.fill(values, value);
    return values;
  }

  private static BacktestResult result(double[] returns, double[] exposures) {
    return result(returns, exposures, 2191.5);
  }

  private static BacktestResult result(double[] returns, double[] exposures, double barsPerYear) {
    int n = returns.length;
    double[] equity = new double[n];
    double value = 100;
    for (int i = 0; i < n; i++) {
      value *= 1 + returns[i];
      equity[i] = value;
    }
    BacktestResult.Series series =
        new BacktestResult.Series(
            new long[n],
            constant(n, 1),
            exposures,
            exposures,
            equity,
            constant(n, 1),
            constant(n, 2),
            constant(n, 3),
            constant(n, 0.25));
    FilledOrder trade = new FilledOrder(0, 1, 1, 1, 1, 0, 0);
    return new BacktestResult(
        "A",
        "test",
        new BacktestResult.Start(0, 1, 100),
        barsPerYear,
        series,
        List.of(trade),
        NONE,
        false);
  }
}
