package io.quantail.network;

/**
 * Keeps a standard deviation between a minimum and a maximum without ever losing its gradient.
 *
 * <p>It is the identity between the two knees {@code a = min + p} and {@code b = max - q}, with
 * {@code p = min / 4} and {@code q = max / 5}, both at most half of the range. Below the first knee
 * it is {@code min + p exp((s - a) / p)}, above the second {@code max - q exp((b - s) / q)}: value
 * and slope are continuous. A hard clamp would have no gradient outside, so deviations that start
 * outside could not be trained.
 */
public final class DeviationBounds {
  private static final double LOW = 0.25;
  private static final double HIGH = 0.2;

  private final double minimum;
  private final double maximum;
  private final double lowWidth;
  private final double highWidth;

  /**
   * @param minimum smallest bounded deviation, positive
   * @param maximum largest one
   */
  public DeviationBounds(double minimum, double maximum) {
    this.minimum = minimum;
    this.maximum = maximum;
    double half = (maximum - minimum) / 2;
    lowWidth = Math.min(LOW * minimum, half);
    highWidth = Math.min(HIGH * maximum, half);
  }

  /** The deviation below which the bound acts. */
  public double lowKnee() {
    return minimum + lowWidth;
  }

  /** The deviation above which the bound acts. */
  public double highKnee() {
    return maximum - highWidth;
  }

  /** The distance of the lower knee from the minimum. */
  public double lowWidth() {
    return lowWidth;
  }

  /** The distance of the upper knee from the maximum. */
  public double highWidth() {
    return highWidth;
  }

  /** The bounded deviation. */
  double apply(double deviation) {
    double below = minimum + lowWidth - deviation;
    double above = deviation - (maximum - highWidth);
    if (below > 0) {
      return minimum + lowWidth * StrictMath.exp(-below / lowWidth);
    }
    return above > 0 ? maximum - highWidth * StrictMath.exp(-above / highWidth) : deviation;
  }

  /** The derivative of {@link #apply}. */
  double slope(double deviation) {
    double below = minimum + lowWidth - deviation;
    double above = deviation - (maximum - highWidth);
    if (below > 0) {
      return StrictMath.exp(-below / lowWidth);
    }
    return above > 0 ? StrictMath.exp(-above / highWidth) : 1;
  }
}
