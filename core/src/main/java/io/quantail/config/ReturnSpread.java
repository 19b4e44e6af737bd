package io.quantail.config;

/** Measures of the dispersion of returns. */
public enum ReturnSpread {
  /** The standard deviation. */
  STD,
  /** 1.4826 times the median distance from the median: robust against outliers. */
  MAD
}
