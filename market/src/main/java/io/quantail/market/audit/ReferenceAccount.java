package io.quantail.market.audit;

import io.quantail.market.data.Bars;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.execution.PriceSeries;

/** Reference implementation of a trading account, from bars and target weights alone. */
final class ReferenceAccount {
  private static final double BPS = 1e-4;
  private static final double YEAR_MILLIS = 365.25 * 24 * 3600 * 1000;

  private final Bars bars;
  private final ExecutionSettings costs;
  private double cash;
  private double units;
  private double fee;
  private double slippage;
  private double borrow;

  ReferenceAccount(Bars bars, ExecutionSettings costs) {
    this.bars = bars;
    this.costs = costs;
    cash = costs.initialCash();
  }

  double equity(int t) {
    return cash + units * bars.close(t);
  }

  double fee() {
    return fee;
  }

  double slippage() {
    return slippage;
  }

  double borrow() {
    return borrow;
  }

  /** Decides at the close of bar t, fills at the next open and marks at the next close. */
  void step(int t, double weight) {
    double held = units;
    fee = 0;
    slippage = 0;
    borrow = 0;
    double equity = equity(t);
    double present = equity > 0 ? units * bars.close(t) / equity : 0;
    if (Math.abs(weight - present) >= costs.minRebalance()) {
      order(t, weight);
    }
    cash += held * dividend(t + 1);
    if (units < 0) {
      double years = (bars.time(t + 1) - bars.time(t)) / YEAR_MILLIS;
      borrow = Math.abs(units) * bars.close(t + 1) * costs.borrowRate() * years;
      cash -= borrow;
    }
  }

  private void order(int t, double weight) {
    double open = bars.open(t + 1);
    double volume = averageVolume(t);
    double wanted = weight * Math.max(0, cash + units * open) / open - units;
    double side = wanted < 0 ? -1 : 1;
    double size = Math.abs(wanted);
    if (costs.maxParticipation() != null) {
      size = Math.min(size, costs.maxParticipation() * volume / open);
    }
    size = lots(size);
    if (size == 0 || size * open < costs.minNotional()) {
      return;
    }
    double impact =
        costs.impactBps() == 0 ? 0 : costs.impactBps() * Math.sqrt(size * open / volume);
    double slip = Math.min(costs.halfSpreadBps() + impact, costs.maxSlippageBps()) * BPS;
    double price = open + side * slip * open;
    double rate = costs.takerBps() * BPS;
    if (side > 0 && size > Math.max(0, cash) / (price * (1 + rate))) {
      size = lots(Math.max(0, cash) / (price * (1 + rate)));
    }
    if (size == 0 || size * open < costs.minNotional()) {
      return;
    }
    fee = size * price * rate;
    slippage = size * Math.abs(price - open);
    cash -= side * size * price + fee;
    units += side * size;
  }

  private double lots(double size) {
    return costs.lot() == 0 ? size : Math.floor(size / costs.lot() + 1e-9) * costs.lot();
  }

  private double averageVolume(int t) {
    double sum = 0;
    int count = 0;
    for (int i = t; i >= 0 && count < costs.volumeBars(); i--) {
      sum += bars.quoteVolume(i);
      count++;
    }
    return sum / count;
  }

  private double dividend(int t) {
    if (!bars.extraNames().contains(PriceSeries.DIVIDEND)) {
      return 0;
    }
    double paid = bars.extra(PriceSeries.DIVIDEND, t);
    return Double.isFinite(paid) ? paid : 0;
  }
}
