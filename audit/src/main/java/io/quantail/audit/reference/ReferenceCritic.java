package io.quantail.audit.reference;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Reference implementation of a critic: mean, loss and clipping of one sample.
 *
 * <p>Outputs are quantiles or logits, the points, and after the quantiles the expected return where
 * the critic has a mean head. {@link ReferenceDistribution} reads them as a distribution.
 */
public final class ReferenceCritic {
  private static final double TINY = 1e-8;

  private final CriticConfig config;

  public ReferenceCritic(CriticConfig config) {
    this.config = config;
  }

  public boolean quantiles() {
    return config.type() == CriticConfig.Type.QUANTILE;
  }

  /** Whether the last output is the expected return. */
  public boolean meanHead() {
    return quantiles() && config.meanHead();
  }

  /** The quantiles or logits among the outputs. */
  public double[] points(double[] outputs) {
    return Arrays.copyOf(outputs, outputs.length - (meanHead() ? 1 : 0));
  }

  /** The expected return. */
  public double mean(double[] outputs) {
    return meanHead() ? outputs[outputs.length - 1] : centre(points(outputs));
  }

  /** The mean of the points. */
  public double centre(double[] points) {
    return quantiles()
        ? ReferenceMath.mean(points)
        : ReferenceMath.product(ReferencePolicy.probabilities(points), atoms(points.length));
  }

  /** The lowest mean of several critics. */
  public double lowestMean(double[]... critics) {
    return mean(critics[lower(critics)]);
  }

  /** The critic with the lowest mean; the first of equal ones. */
  public int lower(double[]... critics) {
    return IntStream.range(0, critics.length)
        .boxed()
        .min(Comparator.comparingDouble(i -> mean(critics[i])))
        .orElseThrow();
  }

  /** The distribution that one critic predicts. */
  public ReferenceDistribution read(double[] outputs) {
    double[] points = points(outputs);
    return quantiles()
        ? ReferenceDistribution.ofQuantiles(points, mean(outputs))
        : ReferenceDistribution.ofAtoms(
            atoms(points.length), ReferencePolicy.probabilities(points));
  }

  double[] atoms(int count) {
    double[] atoms = new double[count];
    Arrays.setAll(atoms, i -> -config.support() + i * 2 * config.support() / (count - 1));
    return atoms;
  }

  /** What the points of a value head are before training: those of a standard normal. */
  public double[] start(int count) {
    double[] start = new double[count];
    if (quantiles()) {
      Arrays.setAll(start, i -> ReferenceMath.normalQuantile((2 * i + 1) / (2.0 * count)));
      return start;
    }
    double[] densities =
        Arrays.stream(atoms(count)).map(atom -> Math.exp(-atom * atom / 2)).toArray();
    double total = Arrays.stream(densities).sum();
    double[] atoms = atoms(count);
    Arrays.setAll(start, i -> -atoms[i] * atoms[i] / 2 - Math.log(total));
    return start;
  }

  /** The whole loss of a sample: that of the points and that of the mean head. */
  public double loss(double[] outputs, double[] particles, double target) {
    return pointLoss(points(outputs), particles) + meanLoss(outputs, target);
  }

  /** Half the squared error of the mean head. */
  public double meanLoss(double[] outputs, double target) {
    double error = meanHead() ? mean(outputs) - target : 0;
    return error * error / 2;
  }

  /** Quantile loss against equally likely particles, or cross-entropy over ln N. */
  public double pointLoss(double[] points, double[] particles) {
    return quantiles() ? quantileLoss(points, particles) : crossEntropy(points, particles);
  }

  private double quantileLoss(double[] quantiles, double[] particles) {
    double sum = 0;
    for (int i = 0; i < quantiles.length; i++) {
      double level = (2 * i + 1) / (2.0 * quantiles.length);
      for (double particle : particles) {
        double error = particle - quantiles[i];
        sum += (error < 0 ? 1 - level : level) * size(Math.abs(error));
      }
    }
    return sum / (quantiles.length * particles.length);
  }

  /** The Huber loss over kappa; at kappa 0 the error itself. */
  private double size(double error) {
    double kappa = config.huberKappa();
    return error < kappa ? error * error / (2 * kappa) : error - kappa / 2;
  }

  private double crossEntropy(double[] logits, double[] particles) {
    double[] masses = new double[particles.length];
    Arrays.fill(masses, 1.0 / particles.length);
    double[] wanted = project(particles, masses, logits.length);
    double normaliser = ReferencePolicy.logSumExp(logits);
    double sum = 0;
    for (int i = 0; i < logits.length; i++) {
      sum -= wanted[i] * (logits[i] - normaliser);
    }
    return logits.length == 1 ? sum : sum / Math.log(logits.length);
  }

  /** Splits each mass between the two atoms around its position. */
  public double[] project(double[] positions, double[] masses, int count) {
    double spacing = 2 * config.support() / (count - 1);
    double[] probabilities = new double[count];
    for (int i = 0; i < positions.length; i++) {
      double inside = ReferenceMath.clip(positions[i], -config.support(), config.support());
      double position = ReferenceMath.clip((inside + config.support()) / spacing, 0, count - 1);
      int below = (int) Math.floor(position);
      int above = Math.min(below + 1, count - 1);
      probabilities[below] += masses[i] * (1 - (position - below));
      probabilities[above] += masses[i] * (position - below);
    }
    return probabilities;
  }

  /** The mean of the worst fraction of the distribution. */
  public double cvar(double[] outputs, double alpha, RiskConfig.CvarMethod method) {
    return read(outputs).cvar(alpha, method);
  }

  /** Points limited to the neighbourhood of the stored ones; the mean head plays no part. */
  public double[] clip(double[] points, double[] old, CriticConfig.Clip clip) {
    if (clip.mode() == CriticConfig.ClipMode.PER_QUANTILE) {
      double[] limited = new double[points.length];
      Arrays.setAll(
          limited,
          i -> ReferenceMath.clip(points[i], old[i] - clip.range(), old[i] + clip.range()));
      return limited;
    }
    double before = centre(old);
    double now = centre(points);
    double shift = ReferenceMath.clip(now, before - clip.range(), before + clip.range()) - now;
    double[] moved = shift(points, shift);
    if (clip.mode() == CriticConfig.ClipMode.MEAN_AND_VARIANCE) {
      double factor = Math.min(1, clip.varianceFactor() * spread(old) / spread(points));
      double centre = centre(moved);
      for (int i = 0; i < moved.length; i++) {
        moved[i] = centre + factor * (moved[i] - centre);
      }
    }
    return moved;
  }

  private double[] shift(double[] points, double distance) {
    if (quantiles()) {
      return Arrays.stream(points).map(x -> x + distance).toArray();
    }
    double[] positions = Arrays.stream(atoms(points.length)).map(x -> x + distance).toArray();
    double[] projected = project(positions, ReferencePolicy.probabilities(points), points.length);
    return Arrays.stream(projected).map(p -> Math.log(ReferenceMath.clip(p, TINY, 1))).toArray();
  }

  private static double spread(double[] quantiles) {
    double deviation = ReferenceMath.deviation(quantiles, 0);
    return Math.sqrt(deviation * deviation + TINY);
  }

  /** The larger of the losses of the unclipped and the clipped points. */
  public double clippedLoss(
      double[] outputs, double[] old, double[] particles, CriticConfig.Clip clip) {
    double[] points = points(outputs);
    double[] limited = clip(points, points(old), clip);
    return Math.max(pointLoss(points, particles), pointLoss(limited, particles));
  }

  /**
   * Particles that keep a distance from some quantiles. At kappa 0 the slope of the loss jumps
   * where a particle passes a quantile, so that rounding would decide between two gradients.
   *
   * @param distance least one; a particle that is closer moves upwards
   */
  public double[] separated(double[] particles, double distance, double[]... quantiles) {
    if (!quantiles() || config.huberKappa() > 0) {
      return particles;
    }
    double[] sorted = Arrays.stream(quantiles).flatMapToDouble(Arrays::stream).sorted().toArray();
    double[] separated = particles.clone();
    for (int k = 0; k < separated.length; k++) {
      for (double quantile : sorted) {
        if (Math.abs(separated[k] - quantile) < distance) {
          separated[k] = (float) (quantile + 1.5 * distance);
        }
      }
    }
    return separated;
  }
}
