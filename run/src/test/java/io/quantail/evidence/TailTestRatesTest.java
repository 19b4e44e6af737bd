package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.math.StandardNormal;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How often the tests of a tail reject right and wrong forecasts. Right forecasts share one law, so
 * their simulation is drawn once, which makes the full number of sets cheap.
 */
class TailTestRatesTest {
  private static final double ALPHA = 0.05;
  private static final int SETS = 2_000;
  private static final TailSimulation NORMAL_500 = simulate(500);

  /** Fractions of sets that each test rejects. */
  private record Rates(double depth, double coverage, double conditional) {}

  private static TailSimulation simulate(int n) {
    List<NormalForecast> forecasts = Collections.nCopies(n, new NormalForecast(1));
    return TailSimulation.of(forecasts, new double[] {ALPHA}, 1).get(0);
  }

  /**
   * Tests sets of returns.
   *
   * @param factor of the returns, about which the forecasts know nothing
   * @param var forecast for every bar
   */
  private static Rates rates(
      ReturnProcess process,
      double factor,
      double var,
      TailSimulation simulation,
      int n,
      int sets) {
    double[] vars = new double[n];
    double[] cvars = new double[n];
    Arrays.fill(vars, var);
    Arrays.fill(cvars, StandardNormal.conditionalMean(ALPHA));
    double depth = 0;
    double coverage = 0;
    double conditional = 0;
    for (int set = 0; set < sets; set++) {
      double[] returns =
          Arrays.stream(process.draw("tail-rates" + n, set, n)).map(r -> factor * r).toArray();
      TailBacktest test = TailBacktest.of(returns, vars, cvars, simulation);
      depth += test.depthPValue() < TailBacktest.SIGNIFICANCE ? 1.0 / sets : 0;
      coverage += test.coverage().coveragePValue() < TailBacktest.SIGNIFICANCE ? 1.0 / sets : 0;
      conditional += test.conditionalPValue() < TailBacktest.SIGNIFICANCE ? 1.0 / sets : 0;
    }
    System.out.printf(
        "%s x %.2f, %d bars, %d sets: Z2 %.1f %%, Kupiec %.1f %%, conditional %.1f %%%n",
        process, factor, n, sets, 100 * depth, 100 * coverage, 100 * conditional);
    return new Rates(depth, coverage, conditional);
  }

  private static Rates normal(double factor) {
    double var = StandardNormal.quantile(ALPHA);
    return rates(ReturnProcess.NORMAL, factor, var, NORMAL_500, 500, SETS);
  }

  @Test
  @Requirement("EVID-2")
  void shouldRejectRightForecastsAsOftenAsAnnounced() {
    Rates rates = normal(1);
    assertThat(rates.depth()).isBetween(0.035, 0.065);
    // Counts are discrete: a rate of 5 % cannot be hit.
    assertThat(rates.coverage()).isBetween(0.02, 0.065);
    assertThat(rates.conditional()).isBetween(0.02, 0.065);
  }

  @Test
  @Requirement("EVID-3")
  void shouldRejectForecastsOfTooSmallAVolatility() {
    Rates doubled = normal(2);
    assertThat(doubled.depth()).isGreaterThanOrEqualTo(0.99);
    assertThat(doubled.coverage()).isGreaterThanOrEqualTo(0.99);
    assertThat(doubled.conditional()).isGreaterThanOrEqualTo(0.99);
    Rates quarter = normal(1.25);
    assertThat(quarter.depth()).isGreaterThanOrEqualTo(0.95);
    assertThat(quarter.coverage()).isGreaterThanOrEqualTo(0.90);
  }

  @Test
  @Requirement("EVID-4")
  void shouldRejectForecastsThatIgnoreClusters() {
    double var = unconditionalQuantile();
    Rates few = rates(ReturnProcess.REGIMES, 1, var, NORMAL_500, 500, SETS);
    assertThat(few.conditional()).isGreaterThanOrEqualTo(0.55);
    // 400 sets: 95 % is five standard deviations below the 98.7 % of the specification.
    Rates many = rates(ReturnProcess.REGIMES, 1, var, simulate(2_500), 2_500, 400);
    assertThat(many.conditional()).isGreaterThanOrEqualTo(0.95);
  }

  /** The quantile of both regimes together. */
  private static double unconditionalQuantile() {
    double low = -10;
    double high = 0;
    while (high - low > 1e-12) {
      double middle = (low + high) / 2;
      double level =
          0.8 * StandardNormal.cumulative(middle / 0.75)
              + 0.2 * StandardNormal.cumulative(middle / 2);
      if (level < ALPHA) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
