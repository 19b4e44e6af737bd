package io.quantail.audit.reference;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import java.util.Arrays;

/** Reference implementation of a critic: mean, loss, CVaR, quantiles and clipping of one sample. */
public final class ReferenceCritic {
  private static final double TINY = 1e-8;
  private static final double SMALLEST_TAIL = 1e-6;

  private final CriticConfig config;

  public ReferenceCritic(CriticConfig config) {
    this.config = config;
  }

  public boolean quantiles() {
    return config.type() == CriticConfig.Type.QUANTILE;
  }

  public double mean(double[] outputs) {
    if (quantiles()) {
      return ReferenceMath.mean(outputs);
    }
    return ReferenceMath.product(ReferencePolicy.probabilities(outputs), atoms(outputs.length));
  }

  /** The lowest mean of several critics. */
  public double lowestMean(double[]... critics) {
    return Arrays.stream(critics).mapToDouble(this::mean).min().orElseThrow();
  }

  private double[] atoms(int count) {
    double[] atoms = new double[count];
    Arrays.setAll(atoms, i -> -config.support() + i * 2 * config.support() / (count - 1));
    return atoms;
  }

  /** Quantile Huber loss, or cross-entropy with the projected target over ln N. */
  public double loss(double[] outputs, double target) {
    return quantiles() ? quantileLoss(outputs, target) : crossEntropy(outputs, target);
  }

  private double quantileLoss(double[] quantiles, double target) {
    double kappa = config.huberKappa();
    double sum = 0;
    for (int i = 0; i < quantiles.length; i++) {
      double level = (2 * i + 1) / (2.0 * quantiles.length);
      double error = target - quantiles[i];
      double huber =
          Math.abs(error) <= kappa ? error * error / 2 : kappa * (Math.abs(error) - kappa / 2);
      sum += (error < 0 ? 1 - level : level) * huber;
    }
    return sum / quantiles.length;
  }

  private double crossEntropy(double[] logits, double target) {
    double[] wanted = project(new double[] {target}, new double[] {1}, logits.length);
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
    double tail = Math.max(alpha, SMALLEST_TAIL);
    int count = outputs.length;
    if (!quantiles()) {
      return worst(atoms(count), ReferencePolicy.probabilities(outputs), tail);
    }
    double[] sorted = outputs.clone();
    Arrays.sort(sorted);
    int whole = (int) Math.floor(tail * count - 0.5);
    if (method == RiskConfig.CvarMethod.INTERPOLATED && count > 1 && whole < count - 1) {
      return interpolated(sorted, tail, Math.max(0, whole));
    }
    return worst(sorted, equalMasses(count), tail);
  }

  private static double[] equalMasses(int count) {
    double[] masses = new double[count];
    Arrays.fill(masses, 1.0 / count);
    return masses;
  }

  private static double worst(double[] ascending, double[] masses, double tail) {
    double left = tail;
    double sum = 0;
    for (int i = 0; i < ascending.length && left > 0; i++) {
      double taken = Math.min(left, masses[i]);
      sum += taken * ascending[i];
      left -= taken;
    }
    return sum / tail;
  }

  /** Whole quantiles, then a trapezoid below the interpolated quantile function. */
  private static double interpolated(double[] sorted, double tail, int whole) {
    double sum = 0;
    for (int i = 0; i < whole; i++) {
      sum += sorted[i] / sorted.length;
    }
    double from = (double) whole / sorted.length;
    return (sum + (tail - from) * (curve(sorted, from) + curve(sorted, tail)) / 2) / tail;
  }

  private static double curve(double[] sorted, double level) {
    double position = level * sorted.length - 0.5;
    int below = Math.max(0, (int) Math.floor(position));
    return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
  }

  /** The quantile function, linear between the mid-levels of the outcomes. */
  public double quantile(double[] outputs, double level) {
    int count = outputs.length;
    double[] outcomes = quantiles() ? outputs.clone() : atoms(count);
    Arrays.sort(outcomes);
    double[] masses = quantiles() ? equalMasses(count) : ReferencePolicy.probabilities(outputs);
    double middle = masses[0] / 2;
    if (level <= middle) {
      return outcomes[0];
    }
    for (int i = 1; i < count; i++) {
      double next = middle + (masses[i - 1] + masses[i]) / 2;
      if (level <= next) {
        double fraction = (level - middle) / (next - middle);
        return outcomes[i - 1] + fraction * (outcomes[i] - outcomes[i - 1]);
      }
      middle = next;
    }
    return outcomes[count - 1];
  }

  /** The prediction limited to the neighbourhood of the stored one. */
  public double[] clip(double[] outputs, double[] old, CriticConfig.Clip clip) {
    if (clip.mode() == CriticConfig.ClipMode.PER_QUANTILE) {
      double[] limited = new double[outputs.length];
      Arrays.setAll(
          limited,
          i -> ReferenceMath.clip(outputs[i], old[i] - clip.range(), old[i] + clip.range()));
      return limited;
    }
    double before = mean(old);
    double now = mean(outputs);
    double shift = ReferenceMath.clip(now, before - clip.range(), before + clip.range()) - now;
    double[] moved = shift(outputs, shift);
    if (clip.mode() == CriticConfig.ClipMode.MEAN_AND_VARIANCE) {
      double factor = Math.min(1, clip.varianceFactor() * spread(old) / spread(outputs));
      double centre = mean(moved);
      for (int i = 0; i < moved.length; i++) {
        moved[i] = centre + factor * (moved[i] - centre);
      }
    }
    return moved;
  }

  private double[] shift(double[] outputs, double distance) {
    if (quantiles()) {
      return Arrays.stream(outputs).map(x -> x + distance).toArray();
    }
    double[] positions = Arrays.stream(atoms(outputs.length)).map(x -> x + distance).toArray();
    double[] projected = project(positions, ReferencePolicy.probabilities(outputs), outputs.length);
    return Arrays.stream(projected).map(p -> Math.log(ReferenceMath.clip(p, TINY, 1))).toArray();
  }

  private static double spread(double[] quantiles) {
    double deviation = ReferenceMath.deviation(quantiles, 0);
    return Math.sqrt(deviation * deviation + TINY);
  }

  /** The larger of the losses of the unclipped and the clipped prediction. */
  public double clippedLoss(double[] outputs, double[] old, double target, CriticConfig.Clip clip) {
    return Math.max(loss(outputs, target), loss(clip(outputs, old, clip), target));
  }
}
