package io.quantail.optim;

/** Checks and interpolation that the learning-rate schedules share. */
final class Rates {
  private Rates() {}

  static double requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be positive and finite, was " + value);
    }
    return value;
  }

  static double requireNotNegative(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be finite and not negative, was " + value);
    }
    return value;
  }

  /** Progress limited to [0, 1]. */
  static double limit(double progress) {
    if (!(progress >= 0)) {
      throw new IllegalArgumentException("progress must not be negative, was " + progress);
    }
    return Math.min(progress, 1);
  }

  /** Half a cosine wave from {@code start} at share 0 to {@code end} at share 1. */
  static double cosine(double start, double end, double share) {
    return end + (start - end) / 2 * (1 + Math.cos(Math.PI * share));
  }
}
