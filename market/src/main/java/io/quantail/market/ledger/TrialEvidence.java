package io.quantail.market.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.quantail.evidence.ConfidenceInterval;
import io.quantail.evidence.EffectiveTrials;
import io.quantail.evidence.EvidenceException;
import io.quantail.evidence.SharpeStatistics;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How much a Sharpe ratio proves, given the number of trials on the same bars. Undefined numbers
 * are null. See {@link SharpeStatistics} for the formulas.
 *
 * @param trials agents that were evaluated on at least one of the same days, this one included; at
 *     least: other ledgers are not seen; null if the ledger cannot be used
 * @param effectiveTrials see {@link EffectiveTrials}; null if a series of returns is not at hand
 * @param bars number of returns
 * @param sharpe Sharpe ratio per bar
 * @param probabilisticSharpe 1 - p of the hypothesis that the true ratio is at most 0
 * @param deflatedSharpe the same against what luck alone reaches in so many trials
 * @param pMax p-value of the best of so many trials
 * @param pMaxIsLowerBound whether returns have fat tails and trials are many, so that the p-value
 *     is at least {@code pMax}
 * @param minimumTrackRecord number of bars that prove such a ratio with a confidence of 95 %; null
 *     if none does
 * @param undefined why the ratio proves nothing; null if its numbers are defined
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record TrialEvidence(
    @Nullable Integer trials,
    @Nullable Double effectiveTrials,
    int bars,
    @Nullable Double sharpe,
    @Nullable Double probabilisticSharpe,
    @Nullable Double deflatedSharpe,
    @Nullable Double pMax,
    boolean pMaxIsLowerBound,
    @Nullable Double minimumTrackRecord,
    @Nullable String undefined) {
  /** A normal distribution has 3. */
  private static final double FAT_KURTOSIS = 6;

  private static final int MANY_TRIALS = 10;

  /** The evidence of returns that are the only trial on their bars. */
  public static TrialEvidence ofOnlyTrial(double[] returns) {
    return of(returns, OtherTrials.NONE);
  }

  /**
   * The evidence of a trial among others.
   *
   * @param returns of the trial
   * @param others trials on the same bars; null if they are not known
   */
  static TrialEvidence of(double[] returns, @Nullable OtherTrials others) {
    Integer count = others == null ? null : others.count();
    Double effective = others == null ? null : others.effective();
    SharpeStatistics statistics;
    try {
      statistics = SharpeStatistics.of(returns);
    } catch (EvidenceException undefined) {
      return new TrialEvidence(
          count,
          effective,
          returns.length,
          Trial.sharpe(returns),
          null,
          null,
          null,
          false,
          null,
          reason(undefined, returns.length));
    }
    OptionalDouble needed = statistics.minimumTrackRecord(ConfidenceInterval.CONFIDENCE, 0);
    return new TrialEvidence(
        count,
        effective,
        statistics.n(),
        statistics.sharpe(),
        statistics.probabilistic(0),
        others == null ? null : statistics.deflated(others.number(), others.ratioVariance()),
        count == null ? null : statistics.bestOfTrialsPValue(count),
        count != null && count > MANY_TRIALS && statistics.kurtosis() > FAT_KURTOSIS,
        needed.isPresent() ? needed.getAsDouble() : null,
        null);
  }

  private static String reason(EvidenceException undefined, int bars) {
    return switch (undefined.kind()) {
      case TOO_FEW_RETURNS -> String.format(Locale.ROOT, "%d returns are too few", bars);
      case NO_SPREAD -> "the returns do not vary";
      default -> "a return is not a finite number";
    };
  }

  /** How often the bars were evaluated, in words. */
  public String count() {
    return count(trials);
  }

  /**
   * How often bars were evaluated, in words.
   *
   * @param trials null if it is not known
   */
  public static String count(@Nullable Integer trials) {
    return trials == null
        ? "the number of evaluations on these bars is not known"
        : "evaluated %s on these bars".formatted(times(trials));
  }

  /** The same for a table. */
  public static String times(@Nullable Integer trials) {
    return trials == null
        ? "not known"
        : String.format(Locale.ROOT, "at least %d time%s", trials, trials == 1 ? "" : "s");
  }
}
