package io.quantail.market.execution;

import java.io.Serializable;

/**
 * One filled order.
 *
 * @param time of the fill, the open of a bar or, for the sale at the end of a pass, its close, in
 *     milliseconds since 1970 (UTC)
 * @param bar index of that bar
 * @param units number of units bought, negative if sold
 * @param reference price at that time
 * @param fill price paid or received, including slippage
 * @param slippageBps difference between fill and reference, in 1/10000 of the reference
 * @param fee money paid as fee
 */
public record FilledOrder(
    long time, int bar, double units, double reference, double fill, double slippageBps, double fee)
    implements Serializable {

  /** The value of the order at its fill price, without the fee. */
  public double notional() {
    return Math.abs(units) * fill;
  }
}
