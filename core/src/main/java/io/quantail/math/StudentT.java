package io.quantail.math;

import io.quantail.random.RandomStream;

/**
 * Student's t-distribution, scaled to a standard deviation of 1, with {@code nu > 2} degrees of
 * freedom: {@code X = T sqrt((nu - 2) / nu)}. Tested by {@code StudentTTest}.
 *
 * @param nu degrees of freedom; larger than 2, so that the variance is finite
 */
public record StudentT(double nu) {
  private static final int STEPS = 200;

  public StudentT {
    if (!(nu > 2 && nu < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the degrees of freedom must be a number larger than 2, was " + nu);
    }
  }

  /** The factor from T to X. */
  private double scale() {
    return Math.sqrt((nu - 2) / nu);
  }

  /**
   * The probability of a smaller value: {@code I_z(nu/2, 1/2) / 2} below 0 with {@code z = nu / (nu
   * + t^2)}, Abramowitz, Stegun, "Handbook of Mathematical Functions", 1964, 26.7.1.
   */
  public double cdf(double x) {
    double t = x / scale();
    double square = t * t;
    if (square < nu) { // near 0 the tail is a half minus the centre
      double centre = IncompleteBeta.regularized(square / (nu + square), 0.5, nu / 2) / 2;
      return x < 0 ? 0.5 - centre : 0.5 + centre;
    }
    double tail = IncompleteBeta.regularized(nu / (nu + square), nu / 2, 0.5) / 2;
    return x < 0 ? tail : 1 - tail;
  }

  /**
   * The value below which a fraction of the distribution lies, by bisection of {@link #cdf}.
   *
   * @param fraction in (0, 1)
   */
  public double quantile(double fraction) {
    if (!(fraction > 0 && fraction < 1)) {
      throw new IllegalArgumentException(
          "the fraction of a quantile must be in (0, 1), was " + fraction);
    }
    if (fraction > 0.5) {
      return -quantile(1 - fraction); // small tails have the better precision
    }
    double low = -1;
    while (cdf(low) > fraction) {
      low *= 2;
    }
    double high = 0;
    for (int i = 0; i < STEPS && low < (low + high) / 2 && (low + high) / 2 < high; i++) {
      double middle = (low + high) / 2;
      if (cdf(middle) < fraction) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /**
   * The mean of the lower tail of a fraction alpha: {@code -(f(q) / alpha) (nu + q^2) / (nu - 1)}
   * for T, with density f and quantile q.
   *
   * @param alpha in (0, 1)
   */
  public double cvar(double alpha) {
    double q = quantile(alpha) / scale();
    return -scale() * density(q) / alpha * (nu + q * q) / (nu - 1);
  }

  /** Density of T. */
  private double density(double t) {
    double logBeta = IncompleteBeta.logBeta(nu / 2, 0.5);
    return Math.exp(-0.5 * Math.log(nu) - logBeta - (nu + 1) / 2 * Math.log1p(t * t / nu));
  }

  /**
   * A random value.
   *
   * <p>See: Bailey, "Polar generation of random variates with the t-distribution", Mathematics of
   * Computation 62, 1994: {@code T = sqrt(nu (u^(-2/nu) - 1)) cos(2 pi v)}.
   */
  public double sample(RandomStream random) {
    double u = 1 - random.nextDouble(); // in (0, 1]
    double radius = Math.sqrt(nu * Math.expm1(-2 / nu * Math.log(u)));
    return scale() * radius * Math.cos(2 * Math.PI * random.nextDouble());
  }
}
