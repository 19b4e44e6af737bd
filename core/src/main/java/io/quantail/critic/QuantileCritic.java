package io.quantail.critic;

import io.quantail.config.CvarMethod;
import io.quantail.tensor.Tensor;

/**
 * A distribution of returns as N equally likely quantiles at the mid-point levels.
 *
 * <p>{@code tau_i = (i + 0.5) / N}; with {@code u = target - q_i} the loss of a sample is {@code
 * mean_i |tau_i - 1{u < 0}| huber(u)}, where {@code huber(u)} is {@code u^2 / 2} up to kappa and
 * {@code kappa (|u| - kappa / 2)} beyond.
 *
 * <p>See: Dabney, Rowland, Bellemare, Munos, "Distributional reinforcement learning with quantile
 * regression", AAAI 2018, arXiv:1710.10044. We do not divide the Huber loss by kappa. Pinned by the
 * vectors {@code quantile_*} and {@code sb3_quantile_huber_*}.
 *
 * @param quantiles number of quantiles, at least 1
 * @param kappa where the loss turns from quadratic to linear, positive
 */
public record QuantileCritic(int quantiles, double kappa) implements Critic {

  /** The levels at which the quantiles stand. */
  public double[] levels() {
    double[] levels = new double[quantiles];
    for (int i = 0; i < quantiles; i++) {
      levels[i] = (i + 0.5) / quantiles;
    }
    return levels;
  }

  @Override
  public int outputs() {
    return quantiles;
  }

  @Override
  public Tensor mean(Tensor outputs) {
    return outputs.mean(1);
  }

  /**
   * Linear between the mid-point levels, flat beyond the outermost. Sorted first, since a network
   * may let its quantiles cross.
   */
  @Override
  public Tensor quantile(Tensor outputs, double level) {
    Tensor sorted = outputs.sort(1);
    double position = position(level, quantiles);
    int below = (int) position;
    int above = Math.min(below + 1, quantiles - 1);
    Tensor low = sorted.select(1, below);
    return low.add(sorted.select(1, above).sub(low).mul(position - below));
  }

  /** Where a level lies among the quantiles. */
  static double position(double level, int quantiles) {
    return Math.max(0, Math.min(quantiles - 1.0, level * quantiles - 0.5));
  }

  @Override
  public Tensor cvar(Tensor outputs, double alpha, CvarMethod method) {
    return Cvar.ofQuantiles(outputs, alpha, method);
  }

  @Override
  public Tensor loss(Tensor outputs, Tensor targets) {
    return lossPerQuantile(outputs, targets).mean(1);
  }

  @Override
  public Tensor shift(Tensor outputs, Tensor distance) {
    return outputs.add(distance.unsqueeze(1));
  }

  @Override
  public CriticRow row() {
    return new QuantileRow(this);
  }

  @Override
  public boolean outputsAreReturns() {
    return true;
  }

  Tensor lossPerQuantile(Tensor outputs, Tensor targets) {
    Critic.requireOneTargetPerRow(outputs, targets);
    Tensor error = targets.reshape(targets.count(), 1).sub(outputs); // [row, quantile]
    Tensor size = error.abs();
    Tensor quadratic = size.clamp(0, kappa);
    // quadratic (size - quadratic / 2) is the Huber loss without a branch.
    Tensor huber = quadratic.mul(size.sub(quadratic.mul(0.5)));
    Tensor weight = outputs.likeThis(levels()).sub(error.below(0)).abs();
    return weight.mul(huber);
  }
}
