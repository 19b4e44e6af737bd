package io.quantail.value;

import io.quantail.config.RiskConfig;
import io.quantail.kernel.NegativeExponential;
import java.util.Arrays;

/**
 * A distribution of returns as probabilities of fixed atoms (C51); outputs are their logits.
 *
 * <p>The loss of a sample is the cross-entropy between its particles, projected onto the atoms, and
 * the prediction, divided by {@code ln N}: a uniform prediction costs 1 for every number of atoms,
 * which is not an upper bound. The mass of a particle is divided between the two atoms around it:
 * with logits l, probabilities p and masses m the loss is {@code (log sum e^l - sum m l) / ln N}
 * and its gradient {@code (p - m) / ln N}. Particles are projected once, after the recursion that
 * makes them: each projection adds to the variance.
 *
 * <p>See: Bellemare, Dabney, Munos, "A distributional perspective on reinforcement learning", ICML
 * 2017, arXiv:1707.06887. The support never moves: it is fixed in normalised units. Pinned by the
 * vectors {@code c51_*}, {@code set_loss_categorical}, {@code draw_atom} and {@code ce_normaliser}.
 */
public final class CategoricalCritic implements Critic {

  /** Keeps divisions and logarithms away from zero where a probability has underflowed. */
  static final double TINY = 1e-8;

  private final AtomSupport support;
  private final double[] atoms;
  private final double normalizer;
  private final double[] distances; // from the largest logit
  private final double[] weights; // probabilities before they are divided by their sum
  private final double[] probabilities; // of the distribution that was read
  private final double[] projected; // probabilities of a moved distribution
  private final double[] byProbability;

  /** Atoms from {@code -limit} to {@code limit}. */
  public CategoricalCritic(int atoms, double limit) {
    this(new AtomSupport(-limit, limit, atoms));
  }

  /**
   * @param support the atoms, in normalised units
   */
  public CategoricalCritic(AtomSupport support) {
    this.support = support;
    atoms = support.atoms();
    normalizer = normalizer(atoms.length);
    distances = new double[atoms.length];
    weights = new double[atoms.length];
    probabilities = new double[atoms.length];
    projected = new double[atoms.length];
    byProbability = new double[atoms.length];
  }

  /** The cross-entropy of a uniform prediction over N atoms; 1 where that is zero. */
  static double normalizer(int atoms) {
    return atoms == 1 ? 1 : Math.log(atoms);
  }

  @Override
  public Critic another() {
    return new CategoricalCritic(support);
  }

  /** The atoms, in normalised units. */
  public AtomSupport support() {
    return support;
  }

  @Override
  public int points() {
    return atoms.length;
  }

  @Override
  public boolean hasMeanHead() {
    return false; // a projection keeps the mean
  }

  /** Logarithms of normal densities at the atoms, normalised. */
  @Override
  public double[] startingOutputs() {
    double total = Arrays.stream(atoms).map(z -> StrictMath.exp(-z * z / 2)).sum();
    return Arrays.stream(atoms).map(z -> -z * z / 2 - StrictMath.log(total)).toArray();
  }

  @Override
  public boolean outputsAreReturns() {
    return false;
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
  public double centre(float[] outputs, int offset) {
    return mean(outputs, offset);
  }

  @Override
  public void addCentreGradient(float[] outputs, int offset, double factor, float[] dOutputs) {
    read(outputs, offset);
    for (int i = 0; i < atoms.length; i++) {
      byProbability[i] = factor * atoms[i];
    }
    addLogitGradient(dOutputs, offset);
  }

  @Override
  public void read(float[] outputs, int offset) {
    double total = weigh(outputs, offset, largest(outputs, offset));
    for (int i = 0; i < atoms.length; i++) {
      probabilities[i] = weights[i] / total;
    }
  }

  /** A copy of the probabilities of the distribution that was read. */
  public double[] probabilities() {
    return probabilities.clone();
  }

  /**
   * Linear between the atoms, each at the middle of its own fraction of the distribution; flat
   * beyond the outermost. With equal probabilities this is {@link QuantileCritic#quantile}.
   */
  @Override
  public double quantile(double level) {
    double passed = 0; // gaps between atoms that lie below the level
    double before = 0;
    for (int i = 0; i < atoms.length - 1; i++) {
      double middle = before + 0.5 * probabilities[i];
      before += probabilities[i];
      double gap = before + 0.5 * probabilities[i + 1] - middle + TINY;
      passed += Math.max(0, Math.min(1, (level - middle) / gap));
    }
    return support.low() + passed * support.spacing();
  }

  /** The first atom whose cumulative probability exceeds the level. */
  @Override
  public double draw(double level) {
    double cumulative = 0;
    for (int i = 0; i < atoms.length - 1; i++) {
      cumulative += probabilities[i];
      if (cumulative > level) {
        return atoms[i];
      }
    }
    return atoms[atoms.length - 1];
  }

  /**
   * The mass below the value: at an atom that of the lower atoms and half of its own, linear
   * between two atoms. An outermost atom stands for all returns beyond it, which have its level.
   */
  @Override
  public double level(double value) {
    double place = support.place(value);
    int lower = support.below(place);
    double before = 0;
    for (int i = 0; i < lower; i++) {
      before += probabilities[i];
    }
    double middle = before + 0.5 * probabilities[lower];
    double next = before + probabilities[lower] + 0.5 * probabilities[lower + 1];
    return middle + (place - lower) * (next - middle);
  }

  @Override
  public double meanGap() {
    return 0;
  }

  /** The probability of the two outermost atoms. */
  @Override
  public double irregularity(float[] outputs, int offset) {
    return probabilities[0] + probabilities[atoms.length - 1];
  }

  @Override
  public double cvar(double alpha, RiskConfig.CvarMethod method) {
    return Cvar.ofProbabilities(probabilities, atoms, alpha);
  }

  /**
   * More mass on an atom inside the tail displaces mass at its edge, so the derivative by its
   * probability is the distance of the two over alpha.
   */
  @Override
  public double cvar(
      float[] outputs, int offset, double alpha, RiskConfig.CvarMethod method, float[] slopes) {
    read(outputs, offset);
    double tail = Cvar.tail(alpha);
    int edge = 0; // the atom at which the tail ends
    double before = 0; // mass of the atoms below it
    while (edge < atoms.length - 1 && before + probabilities[edge] <= tail) {
      before += probabilities[edge++];
    }
    for (int i = 0; i < atoms.length; i++) {
      byProbability[i] = i < edge ? (atoms[i] - atoms[edge]) / tail : 0;
    }
    Arrays.fill(slopes, offset, offset + atoms.length, 0);
    addLogitGradient(slopes, offset);
    return Cvar.ofProbabilities(probabilities, atoms, alpha);
  }

  @Override
  public double loss(
      float[] outputs,
      int offset,
      float[] particles,
      int from,
      int number,
      double weight,
      float[] dOutputs) {
    double largest = largest(outputs, offset);
    double total = weigh(outputs, offset, largest);
    project(particles, from, number);
    double factor = weight / normalizer;
    double expected = 0;
    for (int i = 0; i < atoms.length; i++) {
      dOutputs[offset + i] = (float) (factor * (weights[i] / total - projected[i]));
      expected += projected[i] * outputs[offset + i];
    }
    return (largest + StrictMath.log(total) - expected) / normalizer;
  }

  /** The mean of the projections of equally likely returns. */
  private void project(float[] particles, int from, int number) {
    Arrays.fill(projected, 0);
    double mass = 1.0 / number;
    for (int k = from; k < from + number; k++) {
      double place = support.place(particles[k]);
      int lower = support.below(place);
      double upperShare = place - lower;
      projected[lower] += (1 - upperShare) * mass;
      projected[lower + 1] += upperShare * mass;
    }
  }

  /** The moved distribution is projected back; mass that leaves the support stays at its end. */
  @Override
  public void shift(float[] outputs, int offset, double distance, float[] shifted) {
    read(outputs, offset);
    support.project(atoms, distance, probabilities, projected);
    for (int i = 0; i < atoms.length; i++) {
      shifted[i] = (float) StrictMath.log(Math.max(TINY, Math.min(1, projected[i])));
    }
  }

  /** An atom between two others moves mass from the lower to the upper one. */
  @Override
  public double shiftGradient(
      float[] outputs, int offset, double distance, float[] dShifted, float[] dOutputs) {
    read(outputs, offset);
    support.project(atoms, distance, probabilities, projected);
    double byDistance = 0;
    for (int i = 0; i < atoms.length; i++) {
      double place = support.place(atoms[i] + distance);
      int lower = support.below(place);
      double atLower = byProjected(dShifted, lower);
      double atUpper = byProjected(dShifted, lower + 1);
      double upperShare = place - lower;
      byProbability[i] = (1 - upperShare) * atLower + upperShare * atUpper;
      if (place > 0 && place < atoms.length - 1) {
        byDistance += probabilities[i] * (atUpper - atLower) / support.spacing();
      }
    }
    Arrays.fill(dOutputs, offset, offset + atoms.length, 0);
    addLogitGradient(dOutputs, offset);
    return byDistance;
  }

  /** The derivative by a projected probability, given that by its logarithm. */
  private double byProjected(float[] byLogarithm, int atom) {
    boolean free = projected[atom] >= TINY && projected[atom] <= 1;
    return free ? byLogarithm[atom] / projected[atom] : 0;
  }

  /** From derivatives by the probabilities that were read to those by the logits, added. */
  private void addLogitGradient(float[] dOutputs, int offset) {
    double mean = 0;
    for (int i = 0; i < atoms.length; i++) {
      mean += byProbability[i] * probabilities[i];
    }
    for (int i = 0; i < atoms.length; i++) {
      dOutputs[offset + i] += (float) (probabilities[i] * (byProbability[i] - mean));
    }
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
    NegativeExponential.of(weights, distances);
    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    return total;
  }
}
