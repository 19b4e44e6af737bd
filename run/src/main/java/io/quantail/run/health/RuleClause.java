package io.quantail.run.health;

/** Comparison that a rule applies to its metric. Factors are meant for positive metrics. */
public enum RuleClause {
  /** The value is greater than the threshold. */
  ABOVE,
  /** The value is less than the threshold. */
  BELOW,
  /** The absolute value is greater than the threshold. */
  BEYOND,
  /** The value, a ratio, is more than a factor away from 1, up or down. */
  APART,
  /** The metric is in the row; for metrics that are only emitted after a failure. */
  PRESENT,
  /** The metric is not in the row. */
  ABSENT,
  /** The value is more than a factor above its mean over the window before. */
  GROWN,
  /** The value is more than a factor below its mean over the window before. */
  SHRUNK,
  /** The value is more than a distance below its mean over the window before. */
  DROPPED;

  /** Whether only the presence of the metric matters. */
  boolean ignoresValue() {
    return this == PRESENT || this == ABSENT;
  }

  /** Whether the value is compared with earlier values. */
  boolean looksBack() {
    return this == GROWN || this == SHRUNK || this == DROPPED;
  }

  /** Whether the threshold is a factor, which must be above 1. */
  boolean comparesByFactor() {
    return this == APART || this == GROWN || this == SHRUNK;
  }
}
