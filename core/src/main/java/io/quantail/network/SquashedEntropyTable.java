package io.quantail.network;

/**
 * {@code E[log f'(x)]} for {@code x ~ N(mean, sigma)} and its derivatives, as {@link
 * SquashedEntropy}, but for a sigma that differs from call to call.
 *
 * <p>The trapezoidal rule is the same. Its nodes belong to one table for all means and sigmas: the
 * function at multiples of {@value #SPACING}, of which a wide distribution uses each second, fourth
 * or at most each 64th. The weights {@code e^(-(k h)²/2)} follow from {@code e^(-h²/2)} by two
 * multiplications per node. A distribution too narrow for the table is expanded in powers of its
 * sigma. {@code SquashedEntropyTest} compares both with sums over many thousand nodes.
 */
final class SquashedEntropyTable {
  /** Distance of two nodes of the table, in units of the logistic function's argument. */
  private static final double SPACING = 3.0 / 256;

  private static final int LAST = (int) (SquashedEntropy.FAR / SPACING);
  private static final double[] VALUES = new double[2 * LAST + 1]; // |y| + 2 log(1 + e^-|y|)
  private static final double[] SLOPES = new double[2 * LAST + 1]; // its derivative

  static {
    for (int node = -LAST; node <= LAST; node++) {
      VALUES[LAST + node] = exactValue(node * SPACING);
      SLOPES[LAST + node] = exactSlope(node * SPACING);
    }
  }

  private final double scale; // 0 without squashing
  private final double offset;
  private double byMean;
  private double bySigma;

  SquashedEntropyTable(Squashing squashing) {
    scale = SquashedEntropy.scale(squashing);
    offset = SquashedEntropy.offset(squashing);
  }

  private static double exactValue(double y) {
    return Math.abs(y) + 2 * StrictMath.log1p(StrictMath.exp(-Math.abs(y)));
  }

  private static double exactSlope(double y) {
    double decayed = StrictMath.exp(-Math.abs(y));
    return Math.copySign((1 - decayed) / (1 + decayed), y);
  }

  /** Beyond the table the function is {@code |y|} to the last bit. */
  private static double value(int node) {
    return Math.abs(node) <= LAST ? VALUES[LAST + node] : Math.abs(node) * SPACING;
  }

  private static double slope(int node) {
    return Math.abs(node) <= LAST ? SLOPES[LAST + node] : Math.signum((double) node);
  }

  /** The expectation; also computes the derivatives that the two methods below return. */
  double expectation(double mean, double sigma) {
    if (scale == 0) {
      return 0;
    }
    double center = scale * mean;
    double width = scale * sigma;
    if (Math.abs(center) > SquashedEntropy.FAR + width * SquashedEntropy.REACH) {
      byMean = -scale * Math.signum(mean);
      bySigma = 0;
      return offset - Math.abs(center);
    }
    int stride = Integer.highestOneBit((int) (width * SquashedEntropy.spacing(width) / SPACING));
    return offset - (stride == 0 ? expand(center, width) : sum(center, width, stride));
  }

  double byMean() {
    return byMean;
  }

  double bySigma() {
    return bySigma;
  }

  /**
   * The expectation over the nodes around the mean.
   *
   * @param center mean of y
   * @param width standard deviation of y
   * @param stride nodes of the table between two that are used
   */
  private double sum(double center, double width, int stride) {
    double step = stride * SPACING;
    int nearest = (int) Math.rint(center / step);
    double spacing = step / width; // in sigmas, like the next
    double distance = (center - nearest * step) / width;
    int perSide = (int) Math.ceil(SquashedEntropy.REACH / spacing + 0.5);
    double up = StrictMath.exp(spacing * distance);
    double down = 1 / up;
    double ratio = StrictMath.exp(-0.5 * spacing * spacing); // of the weights k and k - 1
    double ratioChange = ratio * ratio;
    double weightUp = 1;
    double weightDown = 1;
    int node = nearest * stride;
    double weights = 1;
    double values = value(node);
    double slopes = slope(node);
    double torques = 0; // slopes times the index of their node
    for (int k = 1; k <= perSide; k++) {
      weightUp *= ratio * up;
      weightDown *= ratio * down;
      ratio *= ratioChange;
      double above = weightUp * slope(node + k * stride);
      double below = weightDown * slope(node - k * stride);
      weights += weightUp + weightDown;
      values += weightUp * value(node + k * stride) + weightDown * value(node - k * stride);
      slopes += above + below;
      torques += k * (above - below);
    }
    double meanSlope = slopes / weights;
    byMean = -scale * meanSlope;
    bySigma = -scale * (spacing * torques / weights - distance * meanSlope);
    return values / weights;
  }

  /** The expectation as {@code f + f'' w²/2 + f'''' w⁴/8}, by {@code f'' = (1 - f'²) / 2}. */
  private double expand(double center, double width) {
    double first = exactSlope(center);
    double second = (1 - first * first) / 2;
    double fourth = second * (first * first - second);
    double variance = width * width;
    double third = -first * second;
    double fifth = first * second * (4 * second - first * first);
    byMean = -scale * (first + variance / 2 * third + variance * variance / 8 * fifth);
    bySigma = -scale * (width * second + variance * width / 2 * fourth);
    return exactValue(center) + variance / 2 * second + variance * variance / 8 * fourth;
  }
}
