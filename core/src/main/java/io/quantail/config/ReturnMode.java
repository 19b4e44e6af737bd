package io.quantail.config;

/** How returns are brought to the order of one for the critic; setting {@code returns.mode}. */
public enum ReturnMode {
  /** Subtract the running mean and divide by the running standard deviation. */
  Z_SCORE,
  /** Divide only. */
  SCALE
}
