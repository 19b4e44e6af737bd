package io.quantail.evidence;

import io.quantail.math.Moments;
import java.util.ArrayList;
import java.util.List;

/**
 * All tests of the forecasts of one level: coverage, conditional coverage, depth and score.
 *
 * @param coverage how often returns fall below VaR
 * @param conditionalPValue simulated p-value of conditional coverage
 * @param depth Z2
 * @param criticalDepth depth below which the forecasts are rejected
 * @param depthPValue simulated p-value of the depth
 * @param meanScore mean of FZ0
 */
public record TailBacktest(
    VarCoverage coverage,
    double conditionalPValue,
    double depth,
    double criticalDepth,
    double depthPValue,
    double meanScore) {
  /** A p-value below this rejects. */
  public static final double SIGNIFICANCE = 0.05;

  /**
   * Tests the forecasts of some bars.
   *
   * @param returns of the bars
   * @param forecasts of the same bars
   * @param alphas levels
   * @param seed of the simulated paths
   * @return one result for each level
   */
  public static List<TailBacktest> of(
      double[] returns, List<? extends BarForecast> forecasts, double[] alphas, long seed) {
    Returns.require("the series of returns with a forecast", returns);
    Returns.requireSameLength(
        "the series of returns", returns.length, "the forecasts", forecasts.size());
    List<TailSimulation> simulations = TailSimulation.of(forecasts, alphas, seed);
    List<TailBacktest> tests = new ArrayList<>();
    for (int i = 0; i < alphas.length; i++) {
      double alpha = alphas[i];
      double[] var = forecasts.stream().mapToDouble(forecast -> forecast.quantile(alpha)).toArray();
      double[] cvar = forecasts.stream().mapToDouble(forecast -> forecast.cvar(alpha)).toArray();
      tests.add(of(returns, var, cvar, simulations.get(i)));
    }
    return tests;
  }

  /**
   * Tests forecasts whose simulation is known.
   *
   * @param simulation of the same number of bars and the same law, but for a factor per bar
   */
  public static TailBacktest of(
      double[] returns, double[] var, double[] cvar, TailSimulation simulation) {
    double alpha = simulation.alpha();
    boolean[] exceeded = new boolean[returns.length];
    for (int t = 0; t < exceeded.length; t++) {
      exceeded[t] = returns[t] <= var[t];
    }
    VarCoverage coverage = VarCoverage.of(exceeded, alpha);
    double depth = TailSimulation.depth(returns, var, cvar, alpha);
    return new TailBacktest(
        coverage,
        simulation.conditionalPValue(coverage.conditionalRatio()),
        depth,
        simulation.criticalDepth(),
        simulation.depthPValue(depth),
        Moments.mean(TailScore.of(returns, var, cvar, alpha)));
  }

  /** Whether coverage, conditional coverage or depth rejects the forecasts. */
  public boolean rejected() {
    return coverage.coveragePValue() < SIGNIFICANCE
        || conditionalPValue < SIGNIFICANCE
        || depthPValue < SIGNIFICANCE;
  }
}
