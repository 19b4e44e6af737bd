package io.quantail.value;

import java.util.Arrays;

/**
 * The equally spaced atoms of a categorical critic, and the projection of other distributions onto
 * them.
 *
 * <p>A mass at position x is split linearly between the two atoms around it; beyond the ends it
 * stays on the end atom. The total mass is kept, and so is the mean as long as no mass is outside.
 *
 * <p>See: Bellemare, Dabney, Munos, "A distributional perspective on reinforcement learning", ICML
 * 2017, arXiv:1707.06887. Pinned by the vectors {@code c51_*} and {@code categorical_*}.
 *
 * @param low the lowest atom
 * @param high the highest atom, above {@code low}
 * @param count number of atoms, at least 2
 */
public record AtomSupport(double low, double high, int count) {

  public AtomSupport {
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

  /** The atoms, ascending. */
  public double[] atoms() {
    double[] atoms = new double[count];
    for (int i = 0; i < count; i++) {
      atoms[i] = low + i * spacing();
    }
    return atoms;
  }

  /** The index of a position among the atoms, a real number from 0 to {@code count - 1}. */
  double place(double position) {
    double place = (position - low) / spacing();
    return Math.max(0, Math.min(count - 1, place));
  }

  /** The lower of the two atoms around a position; the other is its neighbour. */
  int below(double place) {
    return Math.min((int) place, count - 2);
  }

  /**
   * The distribution on the atoms that is nearest to given masses.
   *
   * @param positions of the masses
   * @param distance by which all of them are moved first
   * @param masses how large they are
   * @param probabilities receives the probability of each atom
   */
  public void project(
      double[] positions, double distance, double[] masses, double[] probabilities) {
    Arrays.fill(probabilities, 0);
    for (int i = 0; i < positions.length; i++) {
      double place = place(positions[i] + distance);
      int lower = below(place);
      double upperShare = place - lower;
      probabilities[lower] += (1 - upperShare) * masses[i];
      probabilities[lower + 1] += upperShare * masses[i];
    }
  }
}
