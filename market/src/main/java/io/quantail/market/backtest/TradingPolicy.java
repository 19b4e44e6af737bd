package io.quantail.market.backtest;

/** Chooses an action for every observation of a {@code TradingEnvironment}; may have state. */
public interface TradingPolicy {
  /** Resets all state; called before the first bar of a pass. */
  void begin();

  /**
   * The action for an observation.
   *
   * @return values of the environment's action space; may be reused by the next call
   */
  float[] act(float[] observation);
}
