package io.quantail.audit.reference;

import io.quantail.config.RiskConfig;
import java.util.Arrays;

/**
 * Reference implementation of the distribution that a critic predicts: its quantile function, draws
 * and the mean of its lower tail.
 *
 * <p>Quantiles at the levels {@code (i + 0.5) / N} are joined by straight lines. Beyond the
 * outermost ones the curve goes on as an exponential tail through the two outermost quantiles. The
 * whole is moved onto the expected return.
 *
 * @param outcomes ascending
 * @param masses probability of each outcome
 * @param tails whether the outcomes are quantiles
 * @param mean expected return
 */
public record ReferenceDistribution(
    double[] outcomes, double[] masses, boolean tails, double mean) {
  private static final double SMALLEST_TAIL = 1e-6;
  private static final double SMALLEST_SHARE = 0.001; // of the mass beyond an outermost quantile

  static ReferenceDistribution ofQuantiles(double[] quantiles, double mean) {
    double[] sorted = quantiles.clone();
    Arrays.sort(sorted);
    double[] masses = new double[sorted.length];
    Arrays.fill(masses, 1.0 / sorted.length);
    return new ReferenceDistribution(sorted, masses, true, mean);
  }

  static ReferenceDistribution ofAtoms(double[] atoms, double[] probabilities) {
    return new ReferenceDistribution(
        atoms, probabilities, false, ReferenceMath.product(atoms, probabilities));
  }

  /** The return below which a fraction of the distribution lies. */
  public double quantile(double level) {
    return tails ? curve(level) + mean - integral(1) : interpolated(level);
  }

  /** The return of a particle at a level: of atoms the first whose cumulative mass exceeds it. */
  public double draw(double level) {
    if (tails) {
      return quantile(level);
    }
    double cumulative = masses[0];
    int atom = 0;
    while (cumulative <= level && atom < outcomes.length - 1) {
      cumulative += masses[++atom];
    }
    return outcomes[atom];
  }

  /** Whether a return is the lowest or the highest outcome. */
  public boolean outermost(double value) {
    return value <= outcomes[0] || value >= outcomes[outcomes.length - 1];
  }

  /** The mean of the quantiles with their tails, before the distribution is moved. */
  public double unmovedMean() {
    return tails ? integral(1) : mean;
  }

  /** The curve through the quantiles, before it is moved. */
  private double curve(double level) {
    int count = outcomes.length;
    double half = 0.5 / count;
    if (count == 1) {
      return outcomes[0];
    }
    if (level < half) {
      return outcomes[0] + slope(0) * Math.log(Math.max(level / half, SMALLEST_SHARE));
    }
    if (level > 1 - half) {
      double share = Math.max((1 - level) / half, SMALLEST_SHARE);
      return outcomes[count - 1] - slope(count - 2) * Math.log(share);
    }
    return interpolated(level);
  }

  /** How fast a tail falls: a third of the mass less moves it by the gap of two quantiles. */
  private double slope(int lower) {
    return (outcomes[lower + 1] - outcomes[lower]) / Math.log(3);
  }

  /** Linear between the mid-levels of the outcomes, flat beyond them. */
  private double interpolated(double level) {
    double middle = masses[0] / 2;
    if (level <= middle) {
      return outcomes[0];
    }
    for (int i = 1; i < outcomes.length; i++) {
      double next = middle + (masses[i - 1] + masses[i]) / 2;
      if (level <= next) {
        double fraction = (level - middle) / (next - middle);
        return outcomes[i - 1] + fraction * (outcomes[i] - outcomes[i - 1]);
      }
      middle = next;
    }
    return outcomes[outcomes.length - 1];
  }

  /** The integral of the unmoved curve from 0 to a level: both tails and trapezoids. */
  private double integral(double level) {
    int count = outcomes.length;
    if (count == 1) {
      return level * outcomes[0];
    }
    double half = 0.5 / count;
    double sum = belowTail(outcomes[0], slope(0), Math.min(level, half) / half) * half;
    for (int i = 0; i < count - 1; i++) {
      double from = (i + 0.5) / count;
      double to = Math.min(level, (i + 1.5) / count);
      if (to > from) {
        double end = outcomes[i] + (to - from) * count * (outcomes[i + 1] - outcomes[i]);
        sum += (to - from) * (outcomes[i] + end) / 2;
      }
    }
    if (level > 1 - half) {
      double last = outcomes[count - 1];
      double slope = -slope(count - 2);
      double beyond = Math.max(0, (1 - level) / half);
      sum += (belowTail(last, slope, 1) - belowTail(last, slope, beyond)) * half;
    }
    return sum;
  }

  /** The integral of {@code outermost + slope ln s} by s from 0 to a share. */
  private static double belowTail(double outermost, double slope, double share) {
    return share == 0 ? 0 : share * (outermost + slope * (Math.log(share) - 1));
  }

  /** The mean of the worst fraction, all readings moved so that their mean is the expected one. */
  public double cvar(double alpha, RiskConfig.CvarMethod method) {
    double tail = Math.max(alpha, SMALLEST_TAIL);
    if (!tails) {
      return worst(tail);
    }
    if (method == RiskConfig.CvarMethod.TAILS) {
      return integral(tail) / tail + mean - integral(1);
    }
    double moved = mean - ReferenceMath.mean(outcomes);
    int whole = (int) Math.floor(tail * outcomes.length - 0.5);
    boolean inside = outcomes.length > 1 && whole < outcomes.length - 1;
    return method == RiskConfig.CvarMethod.INTERPOLATED && inside
        ? trapezoids(tail, Math.max(0, whole)) + moved
        : worst(tail) + moved;
  }

  private double worst(double tail) {
    double left = tail;
    double sum = 0;
    for (int i = 0; i < outcomes.length && left > 0; i++) {
      double taken = Math.min(left, masses[i]);
      sum += taken * outcomes[i];
      left -= taken;
    }
    return sum / tail;
  }

  /** Whole quantiles, then a trapezoid below straight lines that also go on below the lowest. */
  private double trapezoids(double tail, int whole) {
    double sum = 0;
    for (int i = 0; i < whole; i++) {
      sum += outcomes[i] / outcomes.length;
    }
    double from = (double) whole / outcomes.length;
    return (sum + (tail - from) * (straight(from) + straight(tail)) / 2) / tail;
  }

  private double straight(double level) {
    double position = level * outcomes.length - 0.5;
    int below = Math.max(0, (int) Math.floor(position));
    return outcomes[below] + (position - below) * (outcomes[below + 1] - outcomes[below]);
  }
}
