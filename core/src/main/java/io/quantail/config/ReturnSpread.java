package io.quantail.config;

/** How the spread of returns is measured. */
public enum ReturnSpread {
  /** The standard deviation. */
  STD,
  /** 1.4826 times the median distance from the median: outliers do not widen it. */
  MAD
}
