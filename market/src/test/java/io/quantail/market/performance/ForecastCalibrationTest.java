package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.calibration.CalibrationSummary;
import io.quantail.config.RiskConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ForecastSeries;
import io.quantail.market.limits.LimitCounts;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import io.quantail.value.QuantileCritic;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;

/** Expected and realised returns are compared as documented. */
@Requirement({"REP-1", "MET-1"})
class ForecastCalibrationTest {
  private static final double DEVIATION = 0.01;
  private static final double TINY = 1e-9; // gamma: a return is the next reward

  /** With hardly any weight on the future the return is the next reward: independent, normal. */
  @Test
  void shouldCoverWhatARightForecastPromises() {
    int bars = 20_000;
    BacktestResult result = result(gaussian(bars, 1), false);
    ForecastCalibration right = ForecastCalibration.of(result, normal(bars, DEVIATION), TINY);
    assertThat(right.decisions()).isEqualTo(bars);
    assertThat(right.tooLate()).isZero();
    assertThat(right.independent()).isCloseTo(bars, within(1e-3));
    for (int level = 0; level < ForecastCalibration.LEVELS.size(); level++) {
      assertThat(right.coverage()[level])
          .isCloseTo(ForecastCalibration.LEVELS.get(level), within(0.012));
    }
    assertThat(right.between()).hasSize(10);
    assertThat(Arrays.stream(right.between()).sum()).isCloseTo(1, within(1e-12));
    for (double share : right.between()) {
      assertThat(share).isCloseTo(0.1, within(0.012));
    }
    assertThat(right.realisedMean()).isCloseTo(0, within(3e-4));
    // CVaR of a normal distribution at 5 %: -2.0627 deviations.
    assertThat(right.realisedCvar()).isCloseTo(-2.0627 * DEVIATION, within(5e-4));
    assertThat(right.predictedCvar()).isCloseTo(-2.0627 * DEVIATION, within(2e-3 * DEVIATION));
    CalibrationSummary measured = Objects.requireNonNull(right.measured());
    assertThat(measured.coverage05()).isCloseTo(0.05, within(0.005));
    assertThat(measured.pitDeviation()).isLessThan(0.01);
    assertThat(measured.tailRealised()).isCloseTo(-2.0627 * DEVIATION, within(5e-4));
  }

  @Test
  void shouldShowAForecastThatIsTooNarrow() {
    int bars = 5_000;
    BacktestResult result = result(gaussian(bars, 2), false);
    ForecastCalibration narrow = ForecastCalibration.of(result, normal(bars, DEVIATION / 2), TINY);
    int tenth = ForecastCalibration.LEVELS.indexOf(0.1);
    // P(z <= -1.2816 / 2) = 0.2608.
    assertThat(narrow.coverage()[tenth]).isCloseTo(0.2608, within(0.02));
    assertThat(narrow.between()[0]).isGreaterThan(0.2);
    assertThat(narrow.between()[5]).isLessThan(0.08);
  }

  /** 0.9^28 = 0.052 of the weight would lie beyond the end, 0.9^29 = 0.047. */
  @Test
  void shouldLeaveOutDecisionsWhoseFutureIsNotInTheData() {
    ForecastSeries forecast = normal(100, DEVIATION);
    ForecastCalibration open =
        ForecastCalibration.of(result(gaussian(100, 1), false), forecast, 0.9);
    assertThat(open.tooLate()).isEqualTo(28);
    assertThat(open.decisions()).isEqualTo(72);
    assertThat(open.independent()).isCloseTo(72 * 0.1 / 1.9, within(1e-9));
    ForecastCalibration ended =
        ForecastCalibration.of(result(gaussian(100, 1), true), forecast, 0.9);
    assertThat(ended.decisions()).as("an account that ended has no future").isEqualTo(100);
  }

  @Test
  void shouldSayNothingWhenTheDataAreTooShort() {
    ForecastCalibration none =
        ForecastCalibration.of(result(gaussian(100, 1), false), normal(100, DEVIATION), 0.999);
    assertThat(none.decisions()).isZero();
    assertThat(none.coverage()).containsOnly(Double.NaN);
    assertThat(none.realisedCvar()).isNaN();
    assertThat(
            ForecastCalibration.of(result(gaussian(100, 1), false), normal(100, DEVIATION), 1)
                .decisions())
        .isZero();
  }

  /** 72 decisions of each pass; of the thinned one every second. */
  @Test
  void shouldPoolPassesAndAccountForTheDistanceOfThinnedDecisions() {
    BacktestResult result = result(gaussian(100, 1), false);
    ForecastSeries every = normal(100, DEVIATION);
    ForecastSeries second =
        new ForecastSeries(
            2, normal(50, DEVIATION).outputs(), every.critic(), every.scale(), every.risk());
    CalibrationSummary pooled =
        ForecastCalibration.pooled(List.of(result, result), List.of(every, second), 0.9)
            .orElseThrow();
    assertThat(pooled.steps()).isEqualTo(72 + 36);
    assertThat(pooled.independent()).isCloseTo(72 * 0.1 / 1.9 + 36 * 0.19 / 1.81, within(1e-9));
    assertThat(ForecastCalibration.pooled(List.of(result), List.of(every), 0.999)).isEmpty();
  }

  private static double[] gaussian(int size, long seed) {
    RandomStream random = RandomStream.of(seed, "calibration", 0);
    double[] values = new double[size];
    Arrays.setAll(values, i -> DEVIATION * random.nextGaussian());
    return values;
  }

  /** The same normal distribution at every decision, as 1,001 quantiles. */
  private static ForecastSeries normal(int size, double deviation) {
    NormalDistribution normal = NormalDistribution.of(0, 1);
    int count = 1001;
    float[] quantiles = new float[count];
    for (int i = 0; i < count; i++) {
      quantiles[i] = (float) normal.inverseCumulativeProbability((i + 0.5) / count);
    }
    float[][] outputs = new float[size][];
    Arrays.fill(outputs, quantiles);
    return new ForecastSeries(
        1,
        outputs,
        new QuantileCritic(count, 1),
        new ReturnScale(0, deviation),
        RiskConfig.defaults());
  }

  private static BacktestResult result(double[] logReturns, boolean ruined) {
    int n = logReturns.length;
    double[] equity = new double[n];
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += logReturns[i];
      equity[i] = 100 * Math.exp(sum);
    }
    double[] zero = new double[n];
    BacktestResult.Series series =
        new BacktestResult.Series(new long[n], zero, zero, zero, equity, zero, zero, zero, zero);
    LimitCounts none = new LimitCounts(0, 0, 0, 0, 0, 0);
    return new BacktestResult(
        "A", "test", new BacktestResult.Start(0, 1, 100), 252, series, List.of(), none, ruined);
  }
}
