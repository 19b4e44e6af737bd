package io.quantail.market.trading;

import io.quantail.market.execution.TradingAccount;

/**
 * The account part of an observation: weight, target weight, unrealised return, drawdown, bars
 * since the last order, cost of the last step.
 *
 * <p>Unrealised return and drawdown are in units of the volatility of {@value #HORIZON} bars, so
 * that they are comparable between symbols and bar lengths.
 */
final class AccountFeatures {
  static final int SIZE = 6;
  static final int STATE = 2;

  private static final int HORIZON = 42;
  private static final double BOUND = 5;
  private static final double BPS = 1e-4;

  private final Instrument instrument;
  private final TradingAccount execution;
  private double barsSinceOrder;
  private double lastCostBps;

  AccountFeatures(Instrument instrument, TradingAccount execution) {
    this.instrument = instrument;
    this.execution = execution;
  }

  void open() {
    barsSinceOrder = 0;
    lastCostBps = 0;
  }

  /** Updates the features after a step that started with the given equity. */
  void observe(double equityBefore) {
    barsSinceOrder = execution.order() == 0 ? barsSinceOrder + 1 : 0;
    lastCostBps = execution.costs() / equityBefore / BPS;
  }

  void write(float[] observation, int offset, int bar, double target, double drawdown) {
    double unit = instrument.volatility()[bar] * Math.sqrt(HORIZON);
    observation[offset] = (float) execution.exposure(bar);
    observation[offset + 1] = (float) target;
    observation[offset + 2] = scaled(unrealised(bar), unit);
    observation[offset + 3] = scaled(drawdown, unit);
    observation[offset + 4] = (float) Math.min(BOUND, barsSinceOrder / 100);
    observation[offset + 5] = (float) Math.min(BOUND, lastCostBps / 10);
  }

  private double unrealised(int bar) {
    double entry = execution.entryPrice();
    if (entry == 0) {
      return 0;
    }
    return Math.signum(execution.units()) * (instrument.prices().close(bar) / entry - 1);
  }

  private static float scaled(double value, double unit) {
    return unit > 0 ? (float) Math.max(-BOUND, Math.min(BOUND, value / unit)) : 0;
  }

  void save(double[] state, int offset) {
    state[offset] = barsSinceOrder;
    state[offset + 1] = lastCostBps;
  }

  void load(double[] state, int offset) {
    barsSinceOrder = state[offset];
    lastCostBps = state[offset + 1];
  }
}
