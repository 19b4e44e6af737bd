package io.quantail.critic;

import io.quantail.config.CvarMethod;
import io.quantail.kernel.Decay;

/**
 * {@link CategoricalCritic} for one row.
 *
 * <p>A target falls between two atoms, which share its mass: with logits l, probabilities p and
 * shares m the loss is {@code (log sum e^l - sum m l) / ln N} and its gradient {@code (p - m) / ln
 * N}.
 */
final class CategoricalCriticRow implements CriticRow {
  private final Support support;
  private final double[] atoms;
  private final double normalizer;
  private final double[] distances; // from the largest logit
  private final double[] probabilities; // of the distribution looked at
  private final double[] weights; // probabilities before they are divided by their sum

  CategoricalCriticRow(CategoricalCritic critic) {
    support = critic.support();
    atoms = support.atoms();
    normalizer = CategoricalCritic.normalizer(support.count());
    distances = new double[support.count()];
    probabilities = new double[support.count()];
    weights = new double[support.count()];
  }

  @Override
  public double mean(float[] outputs, int offset) {
    double total = weigh(outputs, offset, largest(outputs, offset));
    double sum = 0;
    for (int i = 0; i < atoms.length; i++) {
      sum += weights[i] * atoms[i];
    }
    return sum / total;
  }

  @Override
  public void look(float[] outputs, int offset) {
    double total = weigh(outputs, offset, largest(outputs, offset));
    for (int i = 0; i < atoms.length; i++) {
      probabilities[i] = weights[i] / total;
    }
  }

  @Override
  public double quantile(double level) {
    double passed = 0; // gaps between atoms that lie below the level
    double before = 0;
    for (int i = 0; i < atoms.length - 1; i++) {
      double middle = before + 0.5 * probabilities[i];
      before += probabilities[i];
      double gap = before + 0.5 * probabilities[i + 1] - middle + CategoricalCritic.TINY;
      passed += Math.max(0, Math.min(1, (level - middle) / gap));
    }
    return support.low() + passed * support.spacing();
  }

  @Override
  public double cvar(double alpha, CvarMethod method) {
    return Cvar.ofProbabilities(probabilities, atoms, alpha);
  }

  @Override
  public double loss(float[] outputs, int offset, float target, double weight, float[] dOutputs) {
    double largest = largest(outputs, offset);
    double total = weigh(outputs, offset, largest);
    double factor = weight / normalizer;
    for (int i = 0; i < atoms.length; i++) {
      dOutputs[offset + i] = (float) (factor * weights[i] / total);
    }
    double place = (target - support.low()) / support.spacing();
    place = Math.max(0, Math.min(atoms.length - 1, place));
    int lower = Math.min((int) place, atoms.length - 2);
    double upperShare = place - lower;
    double lowerShare = 1 - upperShare;
    dOutputs[offset + lower] -= (float) (factor * lowerShare);
    dOutputs[offset + lower + 1] -= (float) (factor * upperShare);
    double expected =
        lowerShare * outputs[offset + lower] + upperShare * outputs[offset + lower + 1];
    return (largest + StrictMath.log(total) - expected) / normalizer;
  }

  private double largest(float[] outputs, int offset) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < atoms.length; i++) {
      largest = Math.max(largest, outputs[offset + i]);
    }
    return largest;
  }

  private double weigh(float[] outputs, int offset, double largest) {
    for (int i = 0; i < atoms.length; i++) {
      distances[i] = largest - outputs[offset + i];
    }
    Decay.of(weights, distances);
    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    return total;
  }
}
