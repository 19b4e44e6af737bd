package io.quantail.math;

/**
 * The regularised incomplete beta function {@code I_x(a, b)}, the distribution function of the beta
 * distribution.
 *
 * <p>{@code I_x(a, b) = x^a (1 - x)^b / (a B(a, b)) f}, with f the continued fraction 26.5.8 of
 * Abramowitz, Stegun, "Handbook of Mathematical Functions", 1964, evaluated by the method of Lentz,
 * "Generating Bessel functions in Mie scattering calculations using continued fractions", 1976. It
 * converges fast for {@code x < (a + 1) / (a + b + 2)}; elsewhere {@code I_x(a, b) = 1 - I_{1-x}(b,
 * a)}. {@code ProportionIntervalTest} pins it against sums of binomial probabilities.
 */
final class IncompleteBeta {
  private static final double TINY = 1e-300;
  private static final double PRECISION = 1e-15;
  private static final int MOST_TERMS = 10_000;

  /** From here on four terms of the series of Stirling have double precision. */
  private static final double LARGE = 15;

  private IncompleteBeta() {}

  /** {@code I_x(a, b)} for positive a and b and x in [0, 1]. */
  static double regularized(double x, double a, double b) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    return x < (a + 1) / (a + b + 2) ? fraction(x, a, b) : 1 - fraction(1 - x, b, a);
  }

  private static double fraction(double x, double a, double b) {
    double front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
    double c = 1;
    double d = 1 / away(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < MOST_TERMS; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / away(1 + even * d);
      c = away(1 + even / c);
      value *= c * d;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / away(1 + odd * d);
      c = away(1 + odd / c);
      value *= c * d;
      if (Math.abs(c * d - 1) < PRECISION) {
        break;
      }
    }
    return front * value;
  }

  /** The value, kept away from 0, by which the method divides. */
  private static double away(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }

  /** {@code ln B(a, b)} for positive a and b. */
  static double logBeta(double a, double b) {
    return logGamma(a) + logGamma(b) - logGamma(a + b);
  }

  /** {@code ln Gamma(x)} of a positive x by the series of Stirling. */
  private static double logGamma(double x) {
    double shift = 0;
    double y = x;
    while (y < LARGE) {
      shift += Math.log(y);
      y++;
    }
    double square = 1 / (y * y);
    double series = (1 / 12.0 - square * (1 / 360.0 - square * (1 / 1260.0 - square / 1680))) / y;
    return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - shift;
  }
}
