package io.quantail.evidence;

import io.quantail.evidence.EvidenceException.Kind;
import io.quantail.math.Moments;

/**
 * How many different ideas a number of trials stands for.
 *
 * <p>Agents in the same market resemble each other without sharing an idea, so the benchmark is
 * removed first: {@code e_i = r_i - beta_i b}. {@code N_eff = 1 + (N - 1)(1 - max(0, rho))}, rho
 * the mean correlation between different {@code e_i}. A trial without variation left has
 * correlation 0 with all others. Pinned by the vectors {@code effective_trials_*}.
 *
 * @param trials N
 * @param beta of each trial, {@code cov(r, b) / var(b)}
 * @param meanCorrelation rho; 0 for one trial
 * @param effective N_eff
 */
public record EffectiveTrials(int trials, double[] beta, double meanCorrelation, double effective) {
  /** A residual deviation below this fraction of the trial's own is rounding. */
  private static final double ROUNDING = 1e-9;

  /**
   * Counts trials.
   *
   * @param trialReturns [trial][period]
   * @param benchmark returns of buy-and-hold in the same periods
   */
  public static EffectiveTrials of(double[][] trialReturns, double[] benchmark) {
    if (trialReturns.length == 0) {
      throw new EvidenceException(Kind.TOO_FEW_TRIALS, "there is no trial to count");
    }
    Returns.require("the benchmark's series of returns", benchmark);
    double[] market = centred(benchmark);
    double marketSquares = product(market, market);
    int count = trialReturns.length;
    double[] beta = new double[count];
    double[][] residuals = new double[count][]; // of length 1, or 0 if nothing varies
    for (int i = 0; i < count; i++) {
      String name = "the series of returns of trial " + i;
      Returns.require(name, trialReturns[i]);
      Returns.requireSameLength(name, trialReturns[i].length, "the benchmark", benchmark.length);
      double[] centred = centred(trialReturns[i]);
      beta[i] = marketSquares == 0 ? 0 : product(centred, market) / marketSquares;
      residuals[i] = direction(trialReturns[i], centred, market, beta[i]);
    }
    double correlation = meanProduct(residuals);
    return new EffectiveTrials(
        count, beta, correlation, 1 + (count - 1) * (1 - Math.max(0, correlation)));
  }

  private static double[] direction(
      double[] returns, double[] centred, double[] market, double beta) {
    double[] residual = new double[centred.length];
    for (int t = 0; t < residual.length; t++) {
      residual[t] = centred[t] - beta * market[t];
    }
    double length = Math.sqrt(product(residual, residual));
    double whole = Math.sqrt(product(centred, centred));
    boolean varies = !Returns.isConstant(returns) && length >= ROUNDING * whole;
    for (int t = 0; t < residual.length; t++) {
      residual[t] = varies ? residual[t] / length : 0;
    }
    return residual;
  }

  private static double meanProduct(double[][] directions) {
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i < directions.length; i++) {
      for (int j = 0; j < i; j++) {
        sum += product(directions[i], directions[j]);
        pairs++;
      }
    }
    return pairs == 0 ? 0 : Math.max(-1, Math.min(1, sum / pairs)); // beyond 1 by rounding only
  }

  private static double[] centred(double[] values) {
    double mean = Moments.mean(values);
    double[] centred = new double[values.length];
    for (int i = 0; i < centred.length; i++) {
      centred[i] = values[i] - mean;
    }
    return centred;
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
