package io.quantail.market.execution;

/**
 * How orders are filled and what they cost.
 *
 * @param takerBps fee on the traded money, in 1/10000
 * @param halfSpreadBps half the distance between bid and ask, in 1/10000 of the price
 * @param impactBps slippage of an order as large as the average quote volume of a bar; it grows
 *     with the square root of the size
 * @param maxSlippageBps bound on half-spread and impact together
 * @param volumeBars how many bars, the one of the decision included, the average volume is over
 * @param maxParticipation largest order as a share of the average volume; null: no bound
 * @param lot smallest step of an order in units; 0: any amount
 * @param minNotional orders of less money are dropped
 * @param minRebalance differences between wanted and present weight below this give no order
 * @param borrowRate yearly cost of borrowing what is sold short, as a share of its value
 * @param initialCash money at the start
 */
public record ExecutionSettings(
    double takerBps,
    double halfSpreadBps,
    double impactBps,
    double maxSlippageBps,
    int volumeBars,
    Double maxParticipation,
    double lot,
    double minNotional,
    double minRebalance,
    double borrowRate,
    double initialCash) {

  public static ExecutionSettings defaults() {
    return new ExecutionSettings(10, 5, 10, 500, 42, 0.1, 0, 0, 0.02, 0, 10_000);
  }

  /** The same without any cost, bound or threshold. */
  public static ExecutionSettings frictionless() {
    return new ExecutionSettings(0, 0, 0, 0, 42, null, 0, 0, 0, 0, 10_000);
  }
}
