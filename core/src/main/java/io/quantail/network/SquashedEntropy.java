package io.quantail.network;

import java.util.Arrays;

/**
 * {@code E[log f'(x)]} for {@code x ~ N(mean, sigma)} and its derivatives: the amount that
 * squashing adds to the entropy of one dimension.
 *
 * <p>The logistic function has {@code log f'(x) = -|x| - 2 log(1 + e^-|x|)} and {@code (log f')' =
 * -tanh(x / 2)}; since {@code tanh x = 2 logistic(2x) - 1}, the tangent has {@code 2 log 2} plus
 * the same at {@code 2x}.
 *
 * <p>The trapezoidal rule errs by {@code e^(c²/2 - 2 pi c / h)} with spacing h for a function that
 * has no singularity within c of the real line; the nearest ones lie where the logistic function's
 * argument is {@code ± i pi}. A narrow distribution therefore needs few nodes. See: Trefethen,
 * Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56(3), 2014.
 *
 * <p>The accuracy of the rule does not depend on the positions of its nodes, so all means use one
 * grid, and the function is evaluated once per node. With the mean d sigmas above its nearest node,
 * the k-th node above that has the weight {@code e^(-(k h - d)²/2) = e^(-d²/2) e^(-(k h)²/2) (e^(h
 * d))^k}: for each mean only polynomials remain, in {@code e^(h d)} and its inverse.
 */
final class SquashedEntropy {
  /** Minus the logarithm of the error: 5e-12. */
  private static final double DIGITS = 26;

  /** Sigmas from the mean to the last node: the density has fallen by as many digits there. */
  static final double REACH = Math.sqrt(2 * DIGITS);

  private static final int MOST_NODES_PER_SIDE = 500; // enough for a sigma of 15 before a tangent

  /** Largest number of cached nodes; narrow distributions with different means need many. */
  private static final int MOST_KEPT = 1 << 14;

  /** From here on {@code |y| + 2 log(1 + e^-|y|)} is its first term. */
  static final double FAR = 40;

  private final double sigma;
  private final double scale; // 0 without squashing
  private final double offset;
  private final double spacing; // in sigmas
  private final int perSide;
  private final double[] shares; // weight of the k-th node on either side, for a mean on a node
  private long first; // index of the first cached node
  private double[] values = {}; // |y| + 2 log(1 + e^-|y|) of the cached nodes
  private double[] slopes = {}; // its derivative
  private double byMean;
  private double bySigma;

  SquashedEntropy(Squashing squashing, double sigma) {
    this.sigma = sigma;
    scale = scale(squashing);
    offset = offset(squashing);
    spacing = spacing(scale * sigma);
    perSide = (int) Math.ceil(REACH / spacing + 0.5); // the mean may lie between two nodes
    shares = new double[perSide + 1];
    Arrays.setAll(shares, k -> StrictMath.exp(-0.5 * (k * spacing) * (k * spacing)));
  }

  /** The factor before the logistic function's argument; 0 without squashing. */
  static double scale(Squashing squashing) {
    return switch (squashing) {
      case NONE -> 0;
      case TANH -> 2;
      case SIGMOID -> 1;
    };
  }

  static double offset(Squashing squashing) {
    return squashing == Squashing.TANH ? 2 * Math.log(2) : 0;
  }

  /**
   * The distance of two nodes in sigmas.
   *
   * @param width standard deviation of the logistic function's argument
   */
  static double spacing(double width) {
    double smooth = Math.min(REACH, Math.PI / width);
    double widest = 2 * Math.PI * smooth / (0.5 * smooth * smooth + DIGITS);
    return Math.max(widest, REACH / MOST_NODES_PER_SIDE);
  }

  /** The expectation; also computes the derivatives that the two methods below return. */
  double expectation(double mean) {
    if (scale == 0) {
      return 0;
    }
    if (Math.abs(scale * mean) > FAR + scale * sigma * REACH) {
      byMean = -scale * Math.signum(mean);
      bySigma = 0;
      return offset - Math.abs(scale * mean);
    }
    double place = mean / (sigma * spacing);
    long nearest = Math.round(place);
    return offset - sum(kept(nearest), (place - nearest) * spacing);
  }

  double byMean() {
    return byMean;
  }

  double bySigma() {
    return bySigma;
  }

  /**
   * The expectation over the nodes around a cached one.
   *
   * @param center index of the node that is nearest to the mean
   * @param distance of the mean from it, in sigmas
   */
  private double sum(int center, double distance) {
    double up = StrictMath.exp(spacing * distance);
    double down = 1 / up;
    double weightUp = 0;
    double weightDown = 0;
    double valueUp = 0;
    double valueDown = 0;
    double slopeUp = 0;
    double slopeDown = 0;
    double torqueUp = 0; // sum of slopes times the index of their node
    double torqueDown = 0;
    for (int k = perSide; k > 0; k--) {
      double share = shares[k];
      double above = share * slopes[center + k];
      double below = share * slopes[center - k];
      weightUp = Math.fma(weightUp, up, share);
      weightDown = Math.fma(weightDown, down, share);
      valueUp = Math.fma(valueUp, up, share * values[center + k]);
      valueDown = Math.fma(valueDown, down, share * values[center - k]);
      slopeUp = Math.fma(slopeUp, up, above);
      slopeDown = Math.fma(slopeDown, down, below);
      torqueUp = Math.fma(torqueUp, up, k * above);
      torqueDown = Math.fma(torqueDown, down, k * below);
    }
    double weight = 1 + up * weightUp + down * weightDown;
    double slope = (slopes[center] + up * slopeUp + down * slopeDown) / weight;
    double torque = spacing * (up * torqueUp - down * torqueDown) / weight;
    byMean = -scale * slope;
    bySigma = -scale * (torque - distance * slope);
    return (values[center] + up * valueUp + down * valueDown) / weight;
  }

  /** Caches the nodes around a node; returns the index of that node in the cache. */
  private int kept(long node) {
    long from = node - perSide;
    long to = node + perSide + 1;
    if (from < first || to > first + values.length) {
      long low = Math.min(from, first);
      long high = Math.max(to, first + values.length);
      boolean extend = values.length > 0 && high - low <= MOST_KEPT;
      evaluate(extend ? low : from, extend ? high : to);
    }
    return (int) (node - first);
  }

  /** Caches the nodes [from, to). */
  private void evaluate(long from, long to) {
    double[] newValues = new double[(int) (to - from)];
    double[] newSlopes = new double[newValues.length];
    for (int i = 0; i < newValues.length; i++) {
      long known = from + i - first;
      if (known >= 0 && known < values.length) {
        newValues[i] = values[(int) known];
        newSlopes[i] = slopes[(int) known];
        continue;
      }
      double y = scale * sigma * spacing * (from + i);
      double decayed = StrictMath.exp(-Math.abs(y));
      newValues[i] = Math.abs(y) + 2 * StrictMath.log1p(decayed);
      newSlopes[i] = Math.copySign((1 - decayed) / (1 + decayed), y);
    }
    first = from;
    values = newValues;
    slopes = newSlopes;
  }
}
