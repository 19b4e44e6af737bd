package io.quantail.evidence;

/**
 * The score FZ0 of forecasts of VaR and CVaR, to compare forecasts of the same bars; lower is
 * better.
 *
 * <p>{@code -1{y <= v} (v - y) / (alpha e) + v/e + ln(-e) - 1}, v the VaR and e the CVaR. Whether
 * two mean scores differ is a {@link MeanDifference} of the scores.
 *
 * <p>See: Patton, Ziegel, Chen, "Dynamic semiparametric models for expected shortfall (and
 * Value-at-Risk)", 2019. Pinned by the vector {@code score_of_var_and_cvar}.
 */
public final class TailScore {
  private TailScore() {}

  /**
   * The score of each bar.
   *
   * @throws EvidenceException if a CVaR is not a loss
   */
  public static double[] of(double[] returns, double[] var, double[] cvar, double alpha) {
    Returns.requireFinite("the series of returns", returns);
    Returns.requireFinite("the forecast VaR", var);
    TailSimulation.requireLosses(cvar, alpha);
    double[] scores = new double[returns.length];
    for (int t = 0; t < scores.length; t++) {
      double beyond = Math.max(0, var[t] - returns[t]);
      scores[t] = -beyond / (alpha * cvar[t]) + var[t] / cvar[t] + Math.log(-cvar[t]) - 1;
    }
    return scores;
  }
}
