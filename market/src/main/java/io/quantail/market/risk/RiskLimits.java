package io.quantail.market.risk;

/**
 * Limits that stand between a decision and its order.
 *
 * @param maxWeight largest absolute weight
 * @param drawdownStop fall from the highest equity from which on the account stays flat; 1: off
 * @param dailyLossStop loss within a UTC day, as a share of the equity at its start, from which on
 *     the account is flat for {@code cooldownBars}; 1: off
 * @param cooldownBars bars without position after a daily loss stop
 * @param maxDailyTurnover traded weight per UTC day; null: no bound
 * @param killFile while a file of this name exists the account is flat; empty: none
 * @param inTraining whether the limits also hold in training episodes
 */
public record RiskLimits(
    double maxWeight,
    double drawdownStop,
    double dailyLossStop,
    int cooldownBars,
    Double maxDailyTurnover,
    String killFile,
    boolean inTraining) {

  /** No limit but a weight of 1. */
  public static RiskLimits defaults() {
    return new RiskLimits(1, 1, 1, 0, null, "", false);
  }
}
