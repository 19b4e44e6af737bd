package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.evidence.EvidenceException.Kind;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;

/** Reading of quantiles, exceedances and simulated paths against slow or independent code. */
class TailForecastTest {
  private static final double[] LEVELS = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99};
  private static final double[] QUANTILES = {-4, -3, -2.5, -1.5, -1, 0, 1, 2, 4};
  private static final QuantileForecast FORECAST = new QuantileForecast(LEVELS, QUANTILES);

  @Test
  void shouldIntegrateTheQuantilesItReads() {
    for (double alpha : new double[] {0.004, 0.01, 0.02, 0.05, 0.3, 0.99}) {
      int steps = 2_000_000;
      double sum = 0;
      for (int i = 0; i < steps; i++) {
        sum += FORECAST.quantile(alpha * (i + 0.5) / steps);
      }
      assertThat(FORECAST.cvar(alpha)).isCloseTo(sum / steps, within(1e-5));
    }
    assertThatThrownBy(() -> FORECAST.cvar(0.995)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldInvertTheQuantilesItReads() {
    for (double level = 0.0005; level < 1; level += 0.0007) {
      assertThat(FORECAST.cumulative(FORECAST.quantile(level))).isCloseTo(level, within(1e-12));
    }
    QuantileForecast flat =
        new QuantileForecast(new double[] {0.1, 0.4, 0.6}, new double[] {-1, -1, 2});
    assertThat(flat.cumulative(-1)).isEqualTo(0.4);
    assertThat(flat.cumulative(-2)).isZero();
  }

  @Test
  void shouldMatchAnIndependentBinomialDistribution() {
    for (int n : new int[] {30, 250, 3_000}) {
      for (double p : new double[] {0.01, 0.05, 0.7}) {
        io.quantail.evidence.BinomialDistribution ours =
            new io.quantail.evidence.BinomialDistribution(n, p);
        BinomialDistribution other = BinomialDistribution.of(n, p);
        for (int count = 0; count <= n; count += 1 + n / 50) {
          assertThat(ours.probability(count)).isCloseTo(other.probability(count), within(1e-12));
          assertThat(ours.cumulative(count))
              .isCloseTo(other.cumulativeProbability(count), within(1e-11));
        }
      }
    }
  }

  @Test
  void shouldSimulateWhatASlowLoopSimulates() {
    // Equal quantiles: draws between the levels 0.025 and 0.05 are exceedances at 0.025 too.
    QuantileForecast flat =
        new QuantileForecast(LEVELS, new double[] {-4, -3, -3, -1.5, -1, 0, 1, 2, 4});
    List<QuantileForecast> forecasts = Collections.nCopies(40, flat);
    double[] alphas = {0.025, 0.01};
    TailSimulation.Paths paths = new TailSimulation.SeededPaths(200, 3);
    List<TailSimulation> simulations = TailSimulation.of(forecasts, alphas, paths);
    for (int level = 0; level < alphas.length; level++) {
      double[] var = new double[40];
      double[] cvar = new double[40];
      Arrays.fill(var, flat.quantile(alphas[level]));
      Arrays.fill(cvar, flat.cvar(alphas[level]));
      for (int path = 0; path < 200; path++) {
        double[] drawn = new double[40];
        paths.fill(path, drawn);
        boolean[] exceeded = new boolean[40];
        for (int t = 0; t < 40; t++) {
          drawn[t] = flat.draw(drawn[t]);
          exceeded[t] = drawn[t] <= var[t];
        }
        TailSimulation simulation = simulations.get(level);
        assertThat(simulation.depths()[path])
            .isCloseTo(TailSimulation.depth(drawn, var, cvar, alphas[level]), within(1e-12));
        assertThat(simulation.conditionalRatios()[path])
            .isCloseTo(Exceedances.of(exceeded).conditionalRatio(alphas[level]), within(1e-12));
      }
    }
  }

  @Test
  void shouldCountTiesAgainstTheForecasts() {
    TailSimulation simulation =
        new TailSimulation(0.05, new double[] {-1, 0, 0, 1}, -1, new double[] {5, 3, 3 - 1e-12, 0});
    assertThat(simulation.depthPValue(0)).isEqualTo(0.8);
    assertThat(simulation.depthPValue(-2)).isEqualTo(0.2);
    assertThat(simulation.conditionalPValue(3)).isEqualTo(0.8);
    assertThat(simulation.conditionalPValue(6)).isEqualTo(0.2);
  }

  @Test
  void shouldTestAllLevelsTogether() {
    double[] returns = ReturnProcess.NORMAL.draw("all-levels", 0, 300);
    List<NormalForecast> right = Collections.nCopies(300, new NormalForecast(1));
    List<NormalForecast> wrong = Collections.nCopies(300, new NormalForecast(0.5));
    double[] alphas = {0.05, 0.025, 0.01};
    List<TailBacktest> accepted = TailBacktest.of(returns, right, alphas, 1);
    List<TailBacktest> rejected = TailBacktest.of(returns, wrong, alphas, 1);
    for (int i = 0; i < alphas.length; i++) {
      assertThat(accepted.get(i).coverage().alpha()).isEqualTo(alphas[i]);
      assertThat(rejected.get(i).rejected()).isTrue();
      assertThat(rejected.get(i).depth()).isLessThan(rejected.get(i).criticalDepth());
      assertThat(rejected.get(i).meanScore()).isGreaterThan(accepted.get(i).meanScore());
    }
    assertThat(accepted.get(0).rejected()).isFalse();
  }

  @Test
  void shouldGiveAnAnswerWithoutAnyExceedance() {
    double[] returns = new double[100];
    List<NormalForecast> forecasts = Collections.nCopies(100, new NormalForecast(1));
    TailBacktest test = TailBacktest.of(returns, forecasts, new double[] {0.05}, 1).get(0);
    assertThat(test.coverage().exceedances().count()).isZero();
    assertThat(test.depth()).isEqualTo(1);
    assertThat(test.depthPValue()).isEqualTo(1);
    assertThat(test.coverage().coveragePValue()).isLessThan(0.01);
  }

  @Test
  void shouldRefuseForecastsWithoutLoss() {
    double[] returns = ReturnProcess.NORMAL.draw("no-loss", 0, 40);
    List<QuantileForecast> forecasts =
        Collections.nCopies(
            40, new QuantileForecast(new double[] {0.01, 0.5, 0.99}, new double[] {1, 2, 3}));
    assertThatThrownBy(() -> TailBacktest.of(returns, forecasts, new double[] {0.05}, 1))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_TAIL_LOSS))
        .hasMessageContaining("bar 0 of 40");
  }
}
