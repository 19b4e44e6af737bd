package io.quantail.evidence;

import io.quantail.math.Moments;
import io.quantail.math.SampleMoments;
import io.quantail.math.StandardNormal;
import java.util.OptionalDouble;

/**
 * A Sharpe ratio per period and what it proves.
 *
 * <p>With {@code v = 1 - g3 SR + (g4 - 1)/4 SR^2}, the probabilistic Sharpe ratio is {@code
 * PSR(SR*) = Phi((SR - SR*) sqrt(n - 1) / sqrt(v))}: 1 - p of the hypothesis that the true ratio is
 * at most SR*. It assumes returns without serial correlation. N trials without skill reach {@code
 * SR0 = max(0, sqrt(V) ((1 - c) Phi^-1(1 - 1/N) + c Phi^-1(1 - 1/(N e))))}, c the constant of Euler
 * and V the variance of their ratios, at least {@code 1/(n - 1)}; {@code DSR = PSR(SR0)}.
 *
 * <p>See: Bailey, López de Prado, "The Sharpe Ratio Efficient Frontier", 2012; "The Deflated Sharpe
 * Ratio", 2014. The two bounds of SR0 are ours: without them trials that resemble each other would
 * raise the ratio. Pinned by the vectors {@code deflated_sharpe_*} and {@code SharpeLuckTest}.
 *
 * @param n number of returns
 * @param sharpe mean over standard deviation (ddof 1), per period
 * @param skewness third standardised population moment
 * @param kurtosis fourth standardised population moment; 3 for a normal distribution
 */
public record SharpeStatistics(int n, double sharpe, double skewness, double kurtosis) {
  private static final double EULER = 0.5772156649015329;

  /**
   * The moments of returns.
   *
   * @throws EvidenceException for fewer than 30, constant or non-finite returns
   */
  public static SharpeStatistics of(double[] returns) {
    Returns.requireVarying("the series of returns", returns);
    double mean = Moments.mean(returns);
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (double value : returns) {
      double square = (value - mean) * (value - mean);
      second += square;
      third += square * (value - mean);
      fourth += square * square;
    }
    int n = returns.length;
    double variance = second / n;
    return new SharpeStatistics(
        n,
        mean / Math.sqrt(second / (n - 1)),
        third / n / (variance * Math.sqrt(variance)),
        fourth / n / (variance * variance));
  }

  /** PSR: 1 - p of the hypothesis that the true ratio is at most {@code reference}. */
  public double probabilistic(double reference) {
    return StandardNormal.cumulative(excess(reference));
  }

  /**
   * DSR: the probabilistic ratio against what luck alone reaches. A margin, not a test.
   *
   * @param trials effective number of trials, at least 1
   * @param trialVariance variance (ddof 1) of the trials' ratios per period
   */
  public double deflated(double trials, double trialVariance) {
    return probabilistic(expectedMaximum(trials, trialVariance, n));
  }

  /**
   * The p-value of the best of N trials, {@code 1 - PSR(0)^N}.
   *
   * @param trials plain number of trials, at least 1
   */
  public double bestOfTrialsPValue(double trials) {
    requireTrials(trials);
    return -Math.expm1(trials * Math.log1p(-StandardNormal.cumulative(-excess(0))));
  }

  /**
   * The number of returns after which a ratio like this one exceeds a reference with the given
   * confidence; empty if it never does because it is not larger.
   */
  public OptionalDouble minimumTrackRecord(double confidence, double reference) {
    Returns.requireLevel(confidence);
    if (sharpe <= reference) {
      return OptionalDouble.empty();
    }
    double deviations = StandardNormal.quantile(confidence) / (sharpe - reference);
    return OptionalDouble.of(1 + variance() * deviations * deviations);
  }

  /** SR0: the best ratio per period that is expected of trials without skill. */
  public static double expectedMaximum(double trials, double trialVariance, int n) {
    requireTrials(trials);
    if (trials == 1) {
      return 0;
    }
    double deviation = Math.sqrt(Math.max(trialVariance, 1.0 / (n - 1)));
    double highest = -StandardNormal.quantile(1 / trials);
    double next = -StandardNormal.quantile(1 / (trials * Math.E));
    return Math.max(0, deviation * ((1 - EULER) * highest + EULER * next));
  }

  /** Variance (ddof 1) of the ratios of trials; 0 for a single one. */
  public static double varianceOf(double[] ratios) {
    double deviation = SampleMoments.of(ratios, 0, 1).deviation();
    return ratios.length < 2 ? 0 : deviation * deviation;
  }

  private double excess(double reference) {
    return (sharpe - reference) * Math.sqrt(n - 1) / Math.sqrt(variance());
  }

  /** {@code v}; 0, but for rounding, only for returns that take two values. */
  private double variance() {
    return Math.max(
        1 - skewness * sharpe + (kurtosis - 1) / 4 * sharpe * sharpe, Double.MIN_NORMAL);
  }

  private static void requireTrials(double trials) {
    if (!(trials >= 1)) {
      throw new IllegalArgumentException("the number of trials must be at least 1, was " + trials);
    }
  }
}
