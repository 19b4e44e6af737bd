package io.quantail.market.execution;

import java.io.Serializable;

/**
 * One filled order.
 *
 * @param time when the bar opened at whose open it was filled, in milliseconds since 1970 (UTC)
 * @param bar index of that bar
 * @param units bought, or sold if negative
 * @param reference the open of the bar
 * @param fill the price paid or received, slippage included
 * @param slippageBps distance between the two, in 1/10000 of the reference
 * @param fee money paid as fee
 */
public record FilledOrder(
    long time, int bar, double units, double reference, double fill, double slippageBps, double fee)
    implements Serializable {

  /** Money that changed hands, without the fee. */
  public double notional() {
    return Math.abs(units) * fill;
  }
}
