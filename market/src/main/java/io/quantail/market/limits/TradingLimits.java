package io.quantail.market.limits;

import io.quantail.config.Check;

/**
 * Limits that stand between a decision and its order; section {@code market.risk}.
 *
 * @param maxWeight largest absolute weight; in (0, 1]; default 1
 * @param drawdownStop fall from the highest equity from which on the account stays flat; in (0, 1];
 *     default 1: off
 * @param dailyLossStop loss within a UTC day, as a share of the equity at its start, from which on
 *     the account is flat for {@code cooldownBars}; in (0, 1]; default 1: off
 * @param cooldownBars bars without position after a daily loss stop; at least 1; default 1
 * @param maxDailyTurnover traded weight per UTC day; positive, or null: no bound; default null
 * @param killFile while a file of this name exists the account is flat; empty, the default: none
 * @param inTraining whether the limits also hold in training episodes; default false
 */
public record TradingLimits(
    double maxWeight,
    double drawdownStop,
    double dailyLossStop,
    int cooldownBars,
    Double maxDailyTurnover,
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

  /** No limit but a weight of 1. */
  public static TradingLimits defaults() {
    return new TradingLimits(1, 1, 1, 1, null, "", false);
  }
}
