package io.quantail.market.split;

/** What part of the data something is done on. */
public enum SplitPart {
  TRAIN,
  VALIDATION,
  TEST
}
