package io.quantail.market.backtest;

/** Decides, bar by bar, on what a {@code TradingEnvironment} shows; may remember. */
public interface TradingPolicy {
  /** Forgets everything; called before the first bar of a pass. */
  void begin();

  /**
   * The action for an observation.
   *
   * @return values of the environment's action space; may be reused by the next call
   */
  float[] act(float[] observation);
}
