package io.quantail.market.backtest;

import io.quantail.env.Step;
import io.quantail.market.trading.TradingEnvironment;

/** Chooses a target weight at every close of a pass; may have state. */
public interface TradingPolicy {
  /** Resets all state; called before the first bar of a pass. */
  void begin();

  /**
   * The target weight at the close of the account's current bar, before risk limits.
   *
   * @param account at the close of the decision; it must not be changed, and bars after {@link
   *     TradingEnvironment#bar} must not be read
   * @param observation that an agent receives at this close
   */
  double weight(TradingEnvironment account, float[] observation);

  /**
   * Called after every step of a pass.
   *
   * @param account at the close of the bar after the decision; it must not be changed
   * @param step result of the step
   */
  default void onStep(TradingEnvironment account, Step step) {}
}
