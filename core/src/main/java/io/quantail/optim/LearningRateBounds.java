package io.quantail.optim;

/**
 * The limits within which every learning rate is applied.
 *
 * <pre>  bounded = max(min(rate, maximum), minimum)</pre>
 *
 * Bounds that contradict each other are refused, not repaired. {@code LearningRateBoundsTest} pins
 * it.
 *
 * @param minimum smallest rate, finite and not negative
 * @param maximum largest rate, positive and not below the minimum; may be infinite
 */
public record LearningRateBounds(double minimum, double maximum) {
  public LearningRateBounds {
    if (!(minimum >= 0 && minimum < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "minimum learning rate must be finite and not negative, was " + minimum);
    }
    if (!(maximum > 0 && maximum >= minimum)) {
      throw new IllegalArgumentException(
          "maximum learning rate must be positive and at least the minimum "
              + minimum
              + ", was "
              + maximum);
    }
  }

  /**
   * A rate inside the bounds.
   *
   * @param rate the rate to use
   * @param floorHit whether the scheduled rate was below the minimum
   */
  public record Bounded(double rate, boolean floorHit) {}

  /** Brings the rate inside the bounds; a rate that is not a number is refused. */
  public Bounded apply(double rate) {
    if (Double.isNaN(rate)) {
      throw new IllegalArgumentException("learning rate is NaN; check the schedule's settings");
    }
    return new Bounded(Math.max(Math.min(rate, maximum), minimum), rate < minimum);
  }
}
