package io.quantail.run.evaluation;

import io.quantail.config.RiskConfig;
import io.quantail.evidence.EvidenceException;
import io.quantail.evidence.LimitVerdict;
import io.quantail.risk.EmpiricalCvar;
import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The CVaR of some samples beside its limit, see {@link LimitVerdict}. Samples that support no
 * interval are undecided, with the reason in words.
 *
 * @param unit what one sample is, in the plural, such as {@code bars}
 * @param samples number of samples
 * @param tailSamples number of samples in the tail
 * @param measured mean of the tail; null without samples
 * @param low lower bound of the 95 % interval; null if there is none
 * @param high upper bound; null if there is none
 * @param status kept, broken or undecided
 * @param reason why it is undecided; null if it is decided
 */
public record LimitEstimate(
    String unit,
    int samples,
    int tailSamples,
    @Nullable Double measured,
    @Nullable Double low,
    @Nullable Double high,
    LimitVerdict.Verdict status,
    @Nullable String reason)
    implements Serializable {

  /** Samples of a limited quantity. */
  public record Samples(String unit, boolean independent, double... values) {}

  /**
   * Compares samples with the limit of a run.
   *
   * @param risk settings with a limit
   * @param seed of the bootstrap
   */
  public static LimitEstimate of(Samples samples, RiskConfig risk, long seed) {
    double limit = Objects.requireNonNull(risk.limit());
    double[] values = samples.values();
    try {
      LimitVerdict verdict =
          samples.independent()
              ? LimitVerdict.ofIndependent(values, risk.alpha(), limit, seed)
              : LimitVerdict.ofBars(values, risk.alpha(), limit, seed);
      return new LimitEstimate(
          samples.unit(),
          values.length,
          verdict.estimate().tailCount(),
          verdict.estimate().cvar(),
          verdict.interval().low(),
          verdict.interval().high(),
          verdict.verdict(),
          reason(samples, verdict, risk.alpha()));
    } catch (EvidenceException refused) {
      return undecided(samples, risk.alpha(), refused);
    }
  }

  private static @Nullable String reason(Samples samples, LimitVerdict verdict, double alpha) {
    if (verdict.verdict() != LimitVerdict.Verdict.UNDECIDED) {
      return null;
    }
    int tail = verdict.estimate().tailCount();
    return tail < EmpiricalCvar.FEW_SAMPLES
        ? String.format(
            Locale.ROOT,
            "%d %s have %d in the tail; a decision needs %d, so at least %d %s",
            samples.values().length,
            samples.unit(),
            tail,
            EmpiricalCvar.FEW_SAMPLES,
            fewest(alpha),
            samples.unit())
        : "the interval contains the limit";
  }

  private static LimitEstimate undecided(Samples samples, double alpha, EvidenceException refused) {
    double[] values = samples.values();
    boolean few = refused.kind() == EvidenceException.Kind.TOO_FEW_RETURNS;
    boolean defined = values.length > 0 && few;
    return new LimitEstimate(
        samples.unit(),
        values.length,
        values.length == 0 ? 0 : EmpiricalCvar.tailCount(values.length, alpha),
        defined ? EmpiricalCvar.empirical(values, alpha, 0).cvar() : null,
        null,
        null,
        LimitVerdict.Verdict.UNDECIDED,
        few
            ? String.format(
                Locale.ROOT,
                "%s %s; a decision needs at least %d",
                values.length == 0 ? "there are no" : "there are only " + values.length,
                samples.unit(),
                fewest(alpha))
            : refused.getMessage());
  }

  /** The number of samples with enough of them in the tail, and enough for an interval. */
  private static int fewest(double alpha) {
    return Math.max(
        LimitVerdict.FEWEST_SAMPLES, (int) Math.floor((EmpiricalCvar.FEW_SAMPLES - 1) / alpha) + 1);
  }
}
