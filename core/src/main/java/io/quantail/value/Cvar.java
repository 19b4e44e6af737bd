package io.quantail.value;

import io.quantail.config.RiskConfig;
import io.quantail.math.StandardNormal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Conditional value at risk: the mean of the worst fraction alpha of a distribution; higher is
 * better.
 *
 * <p>From N quantiles it is a weighted sum of the sorted quantiles, whose weights depend on N and
 * alpha only. As point masses, with {@code k = floor(alpha N)}: {@code (sum_{j<k} q_j + (alpha N -
 * k) q_k) / (alpha N)}. From probabilities, with cumulative masses {@code C}: {@code sum_i z_i
 * (min(C_i, alpha) - min(C_{i-1}, alpha)) / alpha}.
 *
 * <p>See: Rockafellar, Uryasev, "Optimization of conditional value-at-risk", Journal of Risk, 2000.
 * Tail masses below {@value #SMALLEST_TAIL} are taken as that. Quantiles are sorted first, since a
 * network may let them cross. Pinned by the vectors {@code cvar_*}; {@code CvarTest} pins the
 * discretisation error.
 */
public final class Cvar {
  static final double SMALLEST_TAIL = 1e-6;

  /** Tails thinner than this have few samples and a noisy gradient. */
  public static final double SMALL_ALPHA = 0.01;

  private Cvar() {}

  /** Of equally likely quantiles at the mid-point levels. */
  public static double ofQuantiles(double[] quantiles, double alpha, RiskConfig.CvarMethod method) {
    double[] sorted = quantiles.clone();
    Arrays.sort(sorted);
    double[] weights = weights(sorted.length, alpha, method);
    return IntStream.range(0, sorted.length).mapToDouble(i -> sorted[i] * weights[i]).sum();
  }

  /** Of atoms in any order with their probabilities. */
  public static double ofProbabilities(double[] probabilities, double[] atoms, double alpha) {
    if (probabilities.length != atoms.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "one probability per atom is needed: %d atoms, %d probabilities",
              atoms.length,
              probabilities.length));
    }
    double tail = tail(alpha);
    double remaining = tail;
    double sum = 0;
    int[] order = ascending(atoms) ? null : order(atoms);
    for (int rank = 0; rank < atoms.length; rank++) {
      int i = order == null ? rank : order[rank];
      double taken = Math.min(probabilities[i], remaining);
      sum += taken * atoms[i];
      remaining -= taken;
    }
    return sum / tail;
  }

  private static boolean ascending(double[] atoms) {
    for (int i = 1; i < atoms.length; i++) {
      if (atoms[i] < atoms[i - 1]) {
        return false;
      }
    }
    return true;
  }

  private static int[] order(double[] atoms) {
    return IntStream.range(0, atoms.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> atoms[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The weight of each of N sorted quantiles. */
  public static double[] weights(int quantiles, double alpha, RiskConfig.CvarMethod method) {
    double tail = tail(alpha);
    return switch (method) {
      case POINT_MASS -> pointMassWeights(quantiles, tail);
      case INTERPOLATED -> interpolatedWeights(quantiles, tail);
      case TAILS -> tailsWeights(quantiles, tail);
    };
  }

  private static double[] pointMassWeights(int quantiles, double alpha) {
    double mass = alpha * quantiles;
    double[] weights = new double[quantiles];
    for (int i = 0; i < quantiles; i++) {
      weights[i] = Math.max(0, Math.min(1, mass - i)) / mass;
    }
    return weights;
  }

  /**
   * The integral of the curve through the quantiles up to alpha: whole steps of 1/N, then a
   * trapezium. Left of the first level the curve continues as a straight line; right of the last
   * one the quantiles count as point masses.
   */
  private static double[] interpolatedWeights(int quantiles, double alpha) {
    double position = alpha * quantiles - 0.5; // of alpha among the quantiles
    int whole = (int) Math.floor(position);
    if (quantiles == 1 || whole >= quantiles - 1) {
      return pointMassWeights(quantiles, alpha);
    }
    int full = Math.max(0, whole);
    double[] weights = new double[quantiles];
    Arrays.fill(weights, 0, full, 1 / (alpha * quantiles));
    double half = (alpha - (double) full / quantiles) / (2 * alpha);
    addPoint(weights, full - 0.5, half);
    addPoint(weights, position, half);
    return weights;
  }

  /**
   * The integral up to alpha of the distribution that {@link QuantileCritic} describes: exponential
   * tails of half a step at both ends, linear between the quantiles. With {@code s = 2 N v}, {@code
   * integral ln s = s ln s - s}.
   */
  private static double[] tailsWeights(int quantiles, double alpha) {
    double[] weights = new double[quantiles];
    if (quantiles == 1) {
      weights[0] = 1;
      return weights;
    }
    double half = 0.5 / quantiles; // width of a tail
    int last = quantiles - 1;
    addTail(weights, 0, 1, Math.min(alpha, half), tailIntegral(Math.min(1, alpha / half)) * half);
    double end = Math.min(alpha, 1 - half) * quantiles - 0.5; // position of the end of the line
    for (int i = 0; i < last && end > i; i++) {
      double width = Math.min(1, end - i);
      double upper = 0.5 * width * width / quantiles;
      weights[i + 1] += upper;
      weights[i] += width / quantiles - upper;
    }
    if (alpha > 1 - half) {
      double beyond = tailIntegral(Math.max(0, 1 - alpha) / half);
      addTail(weights, last, last - 1, alpha - (1 - half), (tailIntegral(1) - beyond) * half);
    }
    for (int i = 0; i < quantiles; i++) {
      weights[i] /= alpha;
    }
    return weights;
  }

  /** Adds a tail's integral: its width of the outermost quantile, and so much of its slope. */
  private static void addTail(
      double[] weights, int outermost, int next, double width, double integral) {
    double slope = integral / Math.log(3);
    weights[outermost] += width - slope;
    weights[next] += slope;
  }

  private static double tailIntegral(double share) {
    return share == 0 ? 0 : share * Math.log(share) - share;
  }

  /** The weights of a point on the curve; below the first quantile the first line continues. */
  private static void addPoint(double[] weights, double position, double factor) {
    int below = Math.max(0, (int) Math.floor(position));
    weights[below] += factor * (1 - (position - below));
    weights[below + 1] += factor * (position - below);
  }

  /** Warnings about a tail this thin. */
  public static List<String> warnings(double alpha) {
    List<String> warnings = new ArrayList<>();
    if (tail(alpha) < SMALL_ALPHA) {
      warnings.add(
          "risk.alpha %s is below %s: few samples ever fall into such a tail, so its mean and its gradient are noisy; use 0.05 or more"
              .formatted(alpha, SMALL_ALPHA));
    }
    return warnings;
  }

  /** As {@link #warnings(double)}, with the resolution of a number of quantiles. */
  public static List<String> warnings(double alpha, int quantiles, RiskConfig.CvarMethod method) {
    List<String> warnings = warnings(alpha);
    if (alpha * quantiles < 1) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "risk.alpha %s is below 1/%d, the share of one quantile: the tail is hidden inside the lowest quantile, and its mean is about %.0f %% off for a normal distribution; use at least %d quantiles or a larger alpha",
              alpha,
              quantiles,
              100 * discretizationError(quantiles, alpha, method),
              (int) Math.ceil(1 / alpha)));
    }
    return warnings;
  }

  /** Relative error of the estimate from perfect quantiles of a normal distribution. */
  static double discretizationError(int quantiles, double alpha, RiskConfig.CvarMethod method) {
    double[] levels = new QuantileCritic(quantiles, 1).levels();
    double[] exact = Arrays.stream(levels).map(StandardNormal::quantile).toArray();
    double truth = StandardNormal.conditionalMean(tail(alpha));
    return Math.abs(ofQuantiles(exact, alpha, method) - truth) / Math.abs(truth);
  }

  /** The tail mass that alpha stands for. */
  static double tail(double alpha) {
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException("alpha must be in (0, 1], was " + alpha);
    }
    return Math.max(alpha, SMALLEST_TAIL);
  }
}
