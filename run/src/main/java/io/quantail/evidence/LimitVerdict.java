package io.quantail.evidence;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.risk.EmpiricalCvar;
import java.util.Locale;

/**
 * Whether a limit on the CVaR was kept on some bars: kept if the whole 95 % interval is at or above
 * the limit, broken if it is below, else undecided. A tail of fewer than 10 returns is undecided.
 *
 * <p>The interval is that of {@link TailBootstrap}. For consecutive bars its mean block length is
 * the larger of {@code sqrt(n)} and the {@linkplain BlockLength automatic one} of {@code min(r - q,
 * 0)}; for independent samples, such as episodes, it is 1. "Kept" means kept on these bars: a calm
 * sample cannot show a storm. {@code LimitVerdictRatesTest} measures how often the verdict is
 * wrong.
 *
 * @param limit lowest CVaR allowed
 * @param estimate realised CVaR, with its error for independent returns
 * @param interval 95 % interval of the CVaR
 * @param studentised whether the interval is studentised; else it is one of percentiles
 * @param blockLength mean block length
 * @param verdict conclusion
 */
public record LimitVerdict(
    double limit,
    TailEstimate estimate,
    ConfidenceInterval interval,
    boolean studentised,
    double blockLength,
    Verdict verdict) {
  /** Fewer samples have no interval. */
  public static final int FEWEST_SAMPLES = Returns.FEWEST;

  /** What an interval proves about a limit. */
  public enum Verdict {
    /** The limit was kept on these bars. */
    KEPT,
    /** The limit was broken. */
    BROKEN,
    /** The data do not decide. */
    UNDECIDED;

    /** The conclusion from an interval of the CVaR and the number of returns in the tail. */
    public static Verdict of(double limit, ConfidenceInterval interval, int tailCount) {
      if (tailCount < EmpiricalCvar.FEW_SAMPLES) {
        return UNDECIDED;
      }
      if (interval.low() >= limit) {
        return KEPT;
      }
      return interval.high() < limit ? BROKEN : UNDECIDED;
    }

    /** The name in files and sentences, such as {@code kept}. */
    @JsonValue
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The verdict on the returns of consecutive bars.
   *
   * @throws EvidenceException for fewer than 30 or non-finite returns
   */
  public static LimitVerdict ofBars(double[] returns, double alpha, double limit, long seed) {
    return ofBars(returns, alpha, limit, StationaryBootstrap.RESAMPLES, seed);
  }

  static LimitVerdict ofBars(
      double[] returns, double alpha, double limit, int resamples, long seed) {
    Returns.require("the series of returns", returns);
    return of(returns, alpha, limit, length(returns, alpha), resamples, seed);
  }

  /**
   * The verdict on independent samples: whole episodes, or windows that do not overlap.
   *
   * @throws EvidenceException for fewer than 30 or non-finite samples
   */
  public static LimitVerdict ofIndependent(
      double[] samples, double alpha, double limit, long seed) {
    Returns.require("the series of samples", samples);
    return of(samples, alpha, limit, 1, StationaryBootstrap.RESAMPLES, seed);
  }

  private static LimitVerdict of(
      double[] returns, double alpha, double limit, double length, int resamples, long seed) {
    ValueGroups groups = ValueGroups.of(returns.length);
    Resamples bootstrap = groups.resamples(length, resamples, seed);
    TailBootstrap tail = TailBootstrap.of(returns, alpha, groups.bandwidth(length), bootstrap);
    ConfidenceInterval interval = tail.interval();
    return new LimitVerdict(
        limit,
        tail.estimate(),
        interval,
        tail.isStudentised(),
        length,
        Verdict.of(limit, interval, tail.estimate().tailCount()));
  }

  private static double length(double[] returns, double alpha) {
    double quantile = TailEstimate.of(returns, alpha).quantile();
    double[] below = new double[returns.length];
    for (int t = 0; t < below.length; t++) {
      below[t] = Math.min(returns[t] - quantile, 0);
    }
    return Math.max(Math.sqrt(returns.length), BlockLength.of(below).length());
  }
}
