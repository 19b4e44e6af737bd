package io.quantail.run.evaluation;

import io.quantail.config.RiskConfig;
import io.quantail.evidence.RollingCvar;
import io.quantail.evidence.YearlyCvar;
import java.io.Serializable;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The limit on one part of a run's data.
 *
 * @param part {@code train}, {@code validation}, {@code test}, {@code data}, or {@code evaluation}
 *     for episodes
 * @param estimate of the samples that {@code risk.measure} names
 * @param bar of single bars; null if {@code estimate} is that, or without bars
 * @param worstYear calendar year with the lowest CVaR of a bar; null if none has 60 bars
 * @param worstWindow 250 bars with the lowest CVaR; null if there are fewer bars
 * @param symbols estimate of each symbol's own account; empty for a single symbol
 */
public record LimitPart(
    String part,
    LimitEstimate estimate,
    @Nullable LimitEstimate bar,
    @Nullable WorstYear worstYear,
    @Nullable WorstWindow worstWindow,
    Map<String, LimitEstimate> symbols)
    implements Serializable {

  /**
   * The worst calendar year (UTC).
   *
   * @param year for example 2008
   * @param cvar of its bars
   * @param multiple CVaR over limit; null unless the limit is a loss of a bar
   */
  public record WorstYear(int year, double cvar, @Nullable Double multiple)
      implements Serializable {
    /** The worst year of bars; empty if no year has enough. */
    public static Optional<WorstYear> of(double[] returns, long[] closes, RiskConfig risk) {
      YearlyCvar years = YearlyCvar.of(returns, closes, risk.alpha(), YearlyCvar.FEWEST);
      OptionalInt worst = years.worst();
      if (worst.isEmpty()) {
        return Optional.empty();
      }
      double cvar =
          Objects.requireNonNull(years.years().get(worst.getAsInt())).cvar().orElseThrow();
      return Optional.of(new WorstYear(worst.getAsInt(), cvar, overLimit(cvar, risk)));
    }
  }

  /**
   * The worst window of consecutive bars.
   *
   * @param bars of the window
   * @param last close of its last bar, ISO-8601 (UTC)
   * @param cvar of its bars
   * @param multiple CVaR over limit; null unless the limit is a loss of a bar
   * @param fractionBeyond fraction of all windows whose CVaR is below the limit; null unless the
   *     limit is that of a bar
   */
  public record WorstWindow(
      int bars,
      String last,
      double cvar,
      @Nullable Double multiple,
      @Nullable Double fractionBeyond)
      implements Serializable {
    /** The worst window of {@value RollingCvar#WINDOW} bars; empty if there are fewer. */
    public static Optional<WorstWindow> of(double[] returns, long[] closes, RiskConfig risk) {
      double limit = Objects.requireNonNull(risk.limit());
      return RollingCvar.of(returns, risk.alpha(), RollingCvar.WINDOW, limit)
          .map(
              windows ->
                  new WorstWindow(
                      windows.window(),
                      Instant.ofEpochMilli(closes[windows.worstLast()]).toString(),
                      windows.worst(),
                      overLimit(windows.worst(), risk),
                      risk.measure() == RiskConfig.Measure.REWARDS
                          ? windows.fractionBeyond()
                          : null));
    }
  }

  private static @Nullable Double overLimit(double cvar, RiskConfig risk) {
    double limit = Objects.requireNonNull(risk.limit());
    return limit < 0 && risk.measure() == RiskConfig.Measure.REWARDS ? cvar / limit : null;
  }
}
