package io.quantail.market.split;

/** Parts of the data. */
public enum SplitPart {
  /** Bars for training. */
  TRAIN,
  /** Bars for choosing agents and settings. */
  VALIDATION,
  /** Bars for the final, out-of-sample evaluation. */
  TEST
}
