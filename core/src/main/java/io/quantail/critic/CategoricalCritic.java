package io.quantail.critic;

import io.quantail.config.CvarMethod;
import io.quantail.tensor.Tensor;

/**
 * A distribution of returns as probabilities of fixed atoms (C51); outputs are their logits.
 *
 * <p>The loss of a sample is the cross-entropy between its target, projected onto the atoms, and
 * the prediction, divided by {@code ln N}: a uniform prediction costs 1 whatever the number of
 * atoms, which is not an upper bound.
 *
 * <p>See: Bellemare, Dabney, Munos, "A distributional perspective on reinforcement learning", ICML
 * 2017, arXiv:1707.06887. We regress on the return itself instead of a bootstrapped distribution,
 * and the support never moves: it is fixed in normalised units. Pinned by the vectors {@code c51_*}
 * and {@code ce_normaliser}.
 *
 * @param support where the atoms stand, in normalised units
 */
public record CategoricalCritic(Support support) implements Critic {

  /** Keeps divisions and logarithms away from zero where a probability has underflowed. */
  static final double TINY = 1e-8;

  /** Atoms from {@code -limit} to {@code limit}. */
  public CategoricalCritic(int atoms, double limit) {
    this(new Support(-limit, limit, atoms));
  }

  @Override
  public int outputs() {
    return support.count();
  }

  /** Probabilities of the atoms, [row, atom]. */
  public Tensor probabilities(Tensor outputs) {
    return outputs.logSoftmax(1).exp();
  }

  @Override
  public Tensor mean(Tensor outputs) {
    return probabilities(outputs).mul(outputs.likeThis(support.atoms())).sum(1);
  }

  /**
   * Linear between the atoms, each standing at the middle of its own share of the distribution;
   * flat beyond the outermost. With equal probabilities this is {@link QuantileCritic#quantile}.
   */
  @Override
  public Tensor quantile(Tensor outputs, double level) {
    Tensor probability = probabilities(outputs);
    Tensor middle = probability.cumulativeSum(1).sub(probability.mul(0.5)); // level of each atom
    int gaps = support.count() - 1;
    Tensor from = middle.narrow(1, 0, gaps);
    Tensor width = middle.narrow(1, 1, gaps).sub(from).add(TINY);
    Tensor passed = from.neg().add(level).div(width).clamp(0, 1); // share of each gap below level
    return passed.sum(1).mul(support.spacing()).add(support.low());
  }

  @Override
  public Tensor cvar(Tensor outputs, double alpha, CvarMethod method) {
    return Cvar.ofProbabilities(probabilities(outputs), support, alpha);
  }

  @Override
  public Tensor loss(Tensor outputs, Tensor targets) {
    Critic.requireOneTargetPerRow(outputs, targets);
    Tensor crossEntropy = support.project(targets).mul(outputs.logSoftmax(1)).sum(1).neg();
    return crossEntropy.mul(1 / normalizer(support.count()));
  }

  /** The cross-entropy of a uniform prediction over N atoms; 1 where that is zero. */
  static double normalizer(int atoms) {
    return atoms == 1 ? 1 : Math.log(atoms);
  }

  /** The moved distribution is projected back; mass that leaves the support stays at its end. */
  @Override
  public Tensor shift(Tensor outputs, Tensor distance) {
    Tensor positions = distance.unsqueeze(1).add(outputs.likeThis(support.atoms()));
    return support.project(positions, probabilities(outputs)).clamp(TINY, 1).log();
  }

  @Override
  public CriticRow row() {
    return new CategoricalCriticRow(this);
  }

  @Override
  public boolean outputsAreReturns() {
    return false;
  }
}
