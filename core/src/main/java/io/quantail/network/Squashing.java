package io.quantail.network;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;

/** Function that maps a raw, normally distributed action into an interval. */
public enum Squashing {
  /** The identity. */
  NONE,
  /** The hyperbolic tangent, onto (-1, 1). */
  TANH,
  /** The logistic function, onto (0, 1). */
  SIGMOID;

  private static final double LOG_2 = Math.log(2);

  /** The function that a setting means for numbers between bounds. */
  public static Squashing of(NetworkConfig.Squash squash, ActionSpace.Box box) {
    return switch (squash) {
      case NONE -> NONE;
      case TANH -> TANH;
      case SIGMOID -> SIGMOID;
      case AUTO -> lowest(box) < 0 ? TANH : SIGMOID;
    };
  }

  private static float lowest(ActionSpace.Box box) {
    float lowest = Float.POSITIVE_INFINITY;
    for (float low : box.low()) {
      lowest = Math.min(lowest, low);
    }
    return lowest;
  }

  /** The squashed value of one raw action. */
  public double apply(double raw) {
    return switch (this) {
      case NONE -> raw;
      case TANH -> StrictMath.tanh(raw);
      case SIGMOID -> 1.0 / (1.0 + StrictMath.exp(-raw));
    };
  }

  /** {@code log f'(x)} of one raw action, in the form that does not overflow. */
  public double logDerivative(double raw) {
    return switch (this) {
      case NONE -> 0;
      case TANH -> 2 * LOG_2 - minusLogSlope(2 * raw);
      case SIGMOID -> -minusLogSlope(raw);
    };
  }

  /** Minus the logarithm of the derivative of the logistic function. */
  private static double minusLogSlope(double x) {
    double size = Math.abs(x);
    return size + 2 * StrictMath.log1p(StrictMath.exp(-size));
  }
}
