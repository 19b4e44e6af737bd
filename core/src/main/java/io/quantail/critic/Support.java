package io.quantail.critic;

import io.quantail.tensor.Tensor;

/**
 * The equally spaced atoms on which a categorical critic places probability, and the projection of
 * any other distribution onto them.
 *
 * <p>A mass at position x is split linearly between the two atoms around it; beyond the ends it
 * stays on the end atom. Atom i therefore receives the share {@code max(0, 1 - |x - z_i| /
 * spacing)}, which needs no branch and passes gradients to masses and positions. The total mass is
 * kept, and so is the mean as long as no mass lies outside.
 *
 * <p>See: Bellemare, Dabney, Munos, "A distributional perspective on reinforcement learning", ICML
 * 2017, arXiv:1707.06887. Pinned by the vectors {@code c51_*} and {@code categorical_*}.
 *
 * @param low the lowest atom
 * @param high the highest atom, above {@code low}
 * @param count number of atoms, at least 2
 */
public record Support(double low, double high, int count) {

  public Support {
    if (count < 2) {
      throw new IllegalArgumentException("a support needs at least 2 atoms, was " + count);
    }
    if (!Double.isFinite(low) || !Double.isFinite(high) || high <= low) {
      throw new IllegalArgumentException(
          "a support needs finite ends, the higher above the lower, was [%s, %s]"
              .formatted(low, high));
    }
  }

  /** Distance between neighbours. */
  public double spacing() {
    return (high - low) / (count - 1);
  }

  /** Where the atoms stand, ascending. */
  public double[] atoms() {
    double[] atoms = new double[count];
    for (int i = 0; i < count; i++) {
      atoms[i] = low + i * spacing();
    }
    return atoms;
  }

  /** The distributions of certain returns, one per row; targets [row], result [row, atom]. */
  public Tensor project(Tensor targets) {
    return project(targets.reshape(targets.count(), 1), targets.likeThis(new double[] {1}));
  }

  /**
   * The distributions that lie nearest to given masses.
   *
   * @param positions where the masses are, [row, mass]
   * @param masses how large they are, [row, mass] or one for all
   * @return probabilities of the atoms, [row, atom]
   */
  public Tensor project(Tensor positions, Tensor masses) {
    Tensor index = positions.add(-low).mul(1 / spacing()).clamp(0, count - 1.0); // [row, mass]
    Tensor distance = index.unsqueeze(2).sub(index.likeThis(indices())).abs(); // [.., .., atom]
    Tensor share = distance.neg().add(1).clamp(0, 1);
    return share.mul(masses.unsqueeze(-1)).sum(1);
  }

  private double[] indices() {
    double[] indices = new double[count];
    for (int i = 0; i < count; i++) {
      indices[i] = i;
    }
    return indices;
  }
}
