package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.random.RandomStream;

/**
 * Searches perturbations of observations that raise an objective.
 *
 * <p>FGSM: {@code delta = eps sign(g)}, or {@code eps g / |g|}. PGD: {@code delta = project(delta +
 * step sign(g))}, or along {@code g / |g|}, some times. Both begin at a random allowed
 * perturbation, because the divergence of a policy from itself has no gradient without a
 * perturbation ({@code pgd_kl_needs_random_start}).
 *
 * <p>See: Goodfellow, Shlens, Szegedy, "Explaining and harnessing adversarial examples", 2014,
 * arXiv:1412.6572; Madry, Makelov, Schmidt, Tsipras, Vladu, "Towards deep learning models resistant
 * to adversarial attacks", 2017, arXiv:1706.06083. Pinned by the vectors {@code pgd_*} and {@code
 * fgsm}.
 *
 * @param method how it searches
 * @param norm how a perturbation is measured
 * @param epsilon largest length of a perturbation
 * @param steps steps of PGD
 * @param stepLength length of each
 * @param limits bounds of perturbed observations
 */
public record ObservationAttack(
    RobustConfig.AttackMethod method,
    RobustConfig.AttackNorm norm,
    double epsilon,
    int steps,
    double stepLength,
    PerturbationBounds limits) {

  /** A function of observations that the attack raises. */
  @FunctionalInterface
  public interface Objective {
    /** The gradient by each of the observations. */
    float[][] gradient(float[][] observations);
  }

  private PerturbationBall ball() {
    return new PerturbationBall(norm, epsilon, limits);
  }

  /** Perturbed copies of the observations; at ε = 0 plain copies. */
  public float[][] apply(float[][] observations, Objective objective, RandomStream random) {
    PerturbationBall ball = ball();
    double[][] deltas = randomDeltas(observations, random);
    float[][] disturbed = new float[deltas.length][observations[0].length];
    int searches = epsilon == 0 ? 0 : method == RobustConfig.AttackMethod.FGSM ? 1 : steps;
    for (int step = 0; step < searches; step++) {
      add(observations, deltas, disturbed);
      float[][] gradient = objective.gradient(disturbed);
      for (int row = 0; row < deltas.length; row++) {
        if (method == RobustConfig.AttackMethod.FGSM) {
          deltas[row] = ball.edge(observations[row], gradient[row]);
        } else {
          ball.ascend(deltas[row], observations[row], gradient[row], stepLength);
        }
      }
    }
    return add(observations, deltas, disturbed);
  }

  /** Observations with random perturbations. */
  public float[][] noise(float[][] observations, RandomStream random) {
    double[][] deltas = randomDeltas(observations, random);
    return add(observations, deltas, new float[deltas.length][observations[0].length]);
  }

  private double[][] randomDeltas(float[][] observations, RandomStream random) {
    PerturbationBall ball = ball();
    double[][] deltas = new double[observations.length][];
    for (int row = 0; row < deltas.length; row++) {
      deltas[row] = ball.random(observations[row], random);
    }
    return deltas;
  }

  private static float[][] add(float[][] observations, double[][] deltas, float[][] disturbed) {
    for (int row = 0; row < deltas.length; row++) {
      for (int i = 0; i < deltas[row].length; i++) {
        disturbed[row][i] = (float) (observations[row][i] + deltas[row][i]);
      }
    }
    return disturbed;
  }

  /** The mean length of the perturbations. */
  public double meanSize(float[][] observations, float[][] disturbed) {
    double sum = 0;
    for (int row = 0; row < observations.length; row++) {
      double[] delta = new double[observations[row].length];
      for (int i = 0; i < delta.length; i++) {
        delta[i] = (double) disturbed[row][i] - observations[row][i];
      }
      sum += ball().size(delta);
    }
    return sum / observations.length;
  }
}
