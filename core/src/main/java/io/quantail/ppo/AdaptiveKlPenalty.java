package io.quantail.ppo;

/**
 * Adapts the coefficient of the KL penalty so that the KL stays near its target.
 *
 * <p>Above 1.5 times the target the coefficient doubles, below the target divided by 1.5 it halves,
 * always within its limits; a KL that is not a number sets it to the maximum.
 *
 * <p>See: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
 * 2017, arXiv:1707.06347, section 4. We depart in that the coefficient has limits. {@code
 * AdaptiveKlPenaltyTest} pins it.
 *
 * @param target KL the penalty aims at, positive and finite
 * @param minimum smallest coefficient, positive: from 0 doubling leads nowhere
 * @param maximum largest coefficient, finite and not below the minimum
 */
public record AdaptiveKlPenalty(double target, double minimum, double maximum) {
  private static final double TOLERANCE = 1.5;
  private static final double STEP = 2;

  public AdaptiveKlPenalty {
    requirePositive("target KL", target);
    requirePositive("minimum KL penalty", minimum);
    requirePositive("maximum KL penalty", maximum);
    if (maximum < minimum) {
      throw new IllegalArgumentException(
          "maximum KL penalty must be at least the minimum " + minimum + ", was " + maximum);
    }
  }

  /** The coefficient of the next update, given the mean KL of this one. */
  public double next(double coefficient, double meanKl) {
    if (Double.isNaN(meanKl) || Double.isNaN(coefficient)) {
      return maximum;
    }
    double adapted = coefficient;
    if (meanKl > TOLERANCE * target) {
      adapted = coefficient * STEP;
    } else if (meanKl < target / TOLERANCE) {
      adapted = coefficient / STEP;
    }
    return Math.max(minimum, Math.min(maximum, adapted));
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be positive and finite, was " + value);
    }
  }
}
