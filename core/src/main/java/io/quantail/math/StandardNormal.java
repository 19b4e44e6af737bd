package io.quantail.math;

/**
 * The normal distribution with mean 0 and deviation 1.
 *
 * <p>{@code cdf(x) = 1/2 + density(x) (x + x^3/3 + x^5/(3 5) + ...)}. Beyond {@value #FAR} the tail
 * is {@code density(x) / (x + 1/(x + 2/(x + 3/...)))}, the continued fraction of Laplace, which
 * keeps its relative precision where the series leaves only that of 1/2.
 *
 * <p>See: Marsaglia, "Evaluating the normal distribution", Journal of Statistical Software, 2004.
 * {@code StandardNormalTest} pins both.
 */
public final class StandardNormal {
  private static final double FARTHEST = 9;
  private static final int BISECTIONS = 80;
  private static final double FAR = 5;
  private static final int FRACTION_TERMS = 80;

  private StandardNormal() {}

  /** The probability density at x. */
  public static double density(double x) {
    return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }

  /** The probability of a value below x. */
  public static double cumulative(double x) {
    if (Math.abs(x) > FAR) {
      return x < 0 ? tail(-x) : 1 - tail(x);
    }
    double term = x;
    double sum = x;
    for (int i = 3; Math.abs(term) > Math.ulp(sum); i += 2) {
      term *= x * x / i;
      sum += term;
    }
    return 0.5 + sum * density(x);
  }

  /** The probability of a value above x, for x beyond {@link #FAR}. */
  private static double tail(double x) {
    double denominator = x;
    for (int i = FRACTION_TERMS; i > 0; i--) {
      denominator = x + i / denominator;
    }
    return density(x) / denominator;
  }

  /** The x below which a fraction {@code level} in (0, 1) lies. */
  public static double quantile(double level) {
    double low = -FARTHEST;
    double high = FARTHEST;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (cumulative(middle) < level) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** The mean of the lowest fraction {@code alpha} in (0, 1). */
  public static double conditionalMean(double alpha) {
    return -density(quantile(alpha)) / alpha;
  }
}
