package io.quantail.market.limits;

import io.quantail.config.Check;
import org.jspecify.annotations.Nullable;

/**
 * Limits between a decision and its order; section {@code market.risk}.
 *
 * @param maxWeight largest absolute weight; in (0, 1]; default 1
 * @param drawdownStop drawdown at which the account becomes flat and stays so; in (0, 1]; default
 *     1: off
 * @param dailyLossStop loss within a UTC day, as a fraction of the equity at its start, at which
 *     the account becomes flat for {@code cooldownBars}; in (0, 1]; default 1: off
 * @param cooldownBars bars without position after a daily loss stop; at least 1; default 1
 * @param maxDailyTurnover largest traded weight per UTC day; positive, or null: no limit; default
 *     null
 * @param killFile name of a file; the account is flat while it exists; default empty: none
 * @param inTraining whether the limits also apply in training episodes; default false
 */
public record TradingLimits(
    double maxWeight,
    double drawdownStop,
    double dailyLossStop,
    int cooldownBars,
    @Nullable Double maxDailyTurnover,
    String killFile,
    boolean inTraining) {

  public TradingLimits {
    Check.positiveFraction("market.risk.maxWeight", maxWeight);
    Check.positiveFraction("market.risk.drawdownStop", drawdownStop);
    Check.positiveFraction("market.risk.dailyLossStop", dailyLossStop);
    Check.atLeast("market.risk.cooldownBars", cooldownBars, 1);
    if (maxDailyTurnover != null) {
      Check.positive("market.risk.maxDailyTurnover", maxDailyTurnover);
    }
    Check.present("market.risk.killFile", killFile);
  }

  /** The default settings: no limit except a largest weight of 1. */
  public static TradingLimits defaults() {
    return new TradingLimits(1, 1, 1, 1, null, "", false);
  }
}
