package io.quantail.nn;

import io.quantail.kernel.Decay;
import io.quantail.nn.Gaussian.Squashing;

/**
 * {@code E[log f'(x)]} for {@code x ~ N(mean, sigma)} and its derivatives: what squashing adds to
 * the entropy of one dimension.
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
 * <p>The loops do one small thing each on arrays, so that the compiler makes vector instructions of
 * them. {@code log(1 + u) = 2 artanh(u / (2 + u))} with the argument at most 1/3.
 */
final class SquashedEntropy {
  /** 1/(2k + 1): at 1/3 the first term left out is below 1e-12. */
  private static final int TERMS = 12;

  /** Minus the logarithm of the error: 1e-10. */
  private static final double DIGITS = 23;

  /** Sigmas from the mean to the last node: the density has fallen by as many digits there. */
  private static final double REACH = Math.sqrt(2 * DIGITS);

  private static final int MOST_NODES_PER_SIDE = 500; // enough for a sigma of 15 before a tangent

  private final double[] places; // in sigmas from the mean
  private final double[] nodes; // sigma times place
  private final double[] shares;
  private final double scale; // 0 without squashing
  private final double offset;
  private final double[] signed;
  private final double[] size;
  private final double[] decayed;
  private final double[] values;
  private final double[] slopes;
  private double byMean;
  private double bySigma;

  SquashedEntropy(Squashing squashing, double sigma) {
    scale =
        switch (squashing) {
          case NONE -> 0;
          case TANH -> 2;
          case SIGMOID -> 1;
        };
    offset = squashing == Squashing.TANH ? 2 * Math.log(2) : 0;
    double smooth = Math.min(REACH, Math.PI / (scale * sigma));
    double spacing = 2 * Math.PI * smooth / (0.5 * smooth * smooth + DIGITS);
    int perSide = (int) Math.min(MOST_NODES_PER_SIDE, Math.ceil(REACH / spacing));
    places = new double[2 * perSide + 1];
    nodes = new double[places.length];
    shares = new double[places.length];
    double total = 0;
    for (int k = 0; k < places.length; k++) {
      places[k] = (k - perSide) * REACH / perSide;
      nodes[k] = sigma * places[k];
      shares[k] = StrictMath.exp(-0.5 * places[k] * places[k]);
      total += shares[k];
    }
    for (int k = 0; k < shares.length; k++) {
      shares[k] /= total;
    }
    signed = new double[nodes.length];
    size = new double[nodes.length];
    decayed = new double[nodes.length];
    values = new double[nodes.length];
    slopes = new double[nodes.length];
  }

  /** The expectation; leaves its derivatives for the two methods below. */
  double expectation(double mean) {
    if (scale == 0) {
      return 0;
    }
    arguments(signed, size, nodes, mean, scale);
    Decay.of(decayed, size);
    values(values, size, decayed);
    slopes(slopes, decayed);
    double value = 0;
    double first = 0;
    double second = 0;
    for (int k = 0; k < values.length; k++) {
      value += shares[k] * values[k];
      double slope = shares[k] * Math.copySign(slopes[k], signed[k]);
      first += slope;
      second += slope * places[k];
    }
    byMean = -scale * first;
    bySigma = -scale * second;
    return offset - value;
  }

  double byMean() {
    return byMean;
  }

  double bySigma() {
    return bySigma;
  }

  private static void arguments(
      double[] signed, double[] size, double[] nodes, double mean, double scale) {
    for (int k = 0; k < signed.length; k++) {
      double y = scale * (mean + nodes[k]);
      signed[k] = y;
      size[k] = Math.abs(y);
    }
  }

  /** {@code |y| + 2 log(1 + e^-|y|)}. */
  private static void values(double[] values, double[] size, double[] decayed) {
    for (int k = 0; k < values.length; k++) {
      double u = decayed[k];
      double v = u / (2 + u);
      double square = v * v;
      double series = 1.0 / (2 * TERMS - 1);
      series = series * square + 1.0 / 21;
      series = series * square + 1.0 / 19;
      series = series * square + 1.0 / 17;
      series = series * square + 1.0 / 15;
      series = series * square + 1.0 / 13;
      series = series * square + 1.0 / 11;
      series = series * square + 1.0 / 9;
      series = series * square + 1.0 / 7;
      series = series * square + 1.0 / 5;
      series = series * square + 1.0 / 3;
      series = series * square + 1;
      values[k] = size[k] + 4 * v * series;
    }
  }

  /** {@code tanh(|y| / 2)}; one loop for both would be too long for vector instructions. */
  private static void slopes(double[] slopes, double[] decayed) {
    for (int k = 0; k < slopes.length; k++) {
      double u = decayed[k];
      slopes[k] = (1 - u) / (1 + u);
    }
  }
}
