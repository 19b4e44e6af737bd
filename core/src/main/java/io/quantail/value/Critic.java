package io.quantail.value;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;

/**
 * A distributional critic: how the outputs of a value head describe the distribution of returns of
 * one sample, and the derivatives that training needs.
 *
 * <p>The outputs are a number of points, which are quantiles or logits of atoms, and after them the
 * expected return where the critic has a mean head. All quantities are in normalised units (see
 * {@link ReturnScale}). Methods take the outputs of a head at an offset, because the heads of twin
 * critics lie side by side. Gradients are written at the same offset. An object has scratch arrays
 * and serves one thread at a time; {@link #another()} gives one for another thread.
 */
public interface Critic {

  /** The critic that the settings describe. */
  static Critic of(CriticConfig config) {
    return switch (config.type()) {
      case QUANTILE ->
          new QuantileCritic(config.quantiles(), config.huberKappa(), config.meanHead());
      case CATEGORICAL -> new CategoricalCritic(config.atoms(), config.support());
    };
  }

  /** A critic of the same kind with scratch arrays of its own. */
  Critic another();

  /** How many quantiles or atoms describe the distribution of a sample. */
  int points();

  /** Whether the expected return is an output of its own, after the points. */
  boolean hasMeanHead();

  /** How many outputs a value head has per sample. */
  default int outputs() {
    return points() + (hasMeanHead() ? 1 : 0);
  }

  /** Whether outputs are returns themselves, so that they can follow a change of the scale. */
  boolean outputsAreReturns();

  /** The points of a distribution with mean 0 and deviation 1, with which training starts. */
  double[] startingOutputs();

  /** The expected return: the mean head where there is one. */
  double mean(float[] outputs, int offset);

  /** The mean of the points, without the mean head: what clipping limits. */
  double centre(float[] outputs, int offset);

  /** Adds {@code factor} times the derivative of the centre by each point. */
  void addCentreGradient(float[] outputs, int offset, double factor, float[] dOutputs);

  /**
   * The offset of the critic with the lowest mean, the first of equal ones. Its whole distribution
   * is what the critics predict: an element-wise minimum would mix quantiles of different critics.
   *
   * @param outputs of all critics, side by side
   */
  default int lower(float[] outputs) {
    int lowest = 0;
    double least = mean(outputs, 0);
    for (int offset = outputs(); offset < outputs.length; offset += outputs()) {
      double other = mean(outputs, offset);
      if (other < least || Double.isNaN(other)) {
        lowest = offset;
        least = other;
      }
    }
    return lowest;
  }

  /**
   * The value used for advantages and bootstraps: the lowest of the critics' means.
   *
   * @param outputs of all critics, side by side
   */
  default double value(float[] outputs) {
    return mean(outputs, lower(outputs));
  }

  /** Reads a distribution for the methods that have no outputs among their arguments. */
  void read(float[] outputs, int offset);

  /** Reads the distribution that all critics together predict; see {@link #lower}. */
  default void read(float[] outputs) {
    read(outputs, lower(outputs));
  }

  /** The return below which a fraction {@code level} of the distribution lies. */
  double quantile(double level);

  /** The return at a level as an outcome of the distribution: a particle of a target. */
  double draw(double level);

  /**
   * The fraction of the distribution at or below a return, the inverse of {@link #quantile}; NaN if
   * the distribution is not finite.
   */
  double level(double value);

  /** The distance between the mean and the mean of the points read as a distribution. */
  double meanGap();

  /**
   * How far the distribution that was read is from what its points can express: the fraction of
   * neighbouring quantiles whose order is reversed, or the probability of the two outermost atoms.
   *
   * @param outputs that were read
   */
  double irregularity(float[] outputs, int offset);

  /**
   * The mean of the worst fraction {@code alpha} of the distribution.
   *
   * @param method how it is computed from quantiles; probabilities leave no choice
   */
  double cvar(double alpha, RiskConfig.CvarMethod method);

  /**
   * The same for outputs that were not read before, with its gradient.
   *
   * @param slopes receives the derivative by each output
   */
  double cvar(
      float[] outputs, int offset, double alpha, RiskConfig.CvarMethod method, float[] slopes);

  /**
   * The regression loss of the points of a sample against particles.
   *
   * @param particles of which {@code number} from index {@code from} on are equally likely returns
   * @param dOutputs receives {@code weight} times the derivative by each point
   */
  double loss(
      float[] outputs,
      int offset,
      float[] particles,
      int from,
      int number,
      double weight,
      float[] dOutputs);

  /**
   * The loss of the mean head, {@code (m - R)² / 2}; 0 without one.
   *
   * @param dOutputs receives {@code weight} times its derivative
   */
  default double meanLoss(
      float[] outputs, int offset, float target, double weight, float[] dOutputs) {
    return 0;
  }

  /**
   * The points that describe the distribution moved by a distance.
   *
   * @param shifted receives them, from index 0 on
   */
  void shift(float[] outputs, int offset, double distance, float[] shifted);

  /**
   * The gradient of {@link #shift}, given that of its result.
   *
   * @param dShifted derivative by each shifted point, from index 0 on
   * @param dOutputs receives the derivative by each point with the distance held fixed
   * @return the derivative by the distance
   */
  double shiftGradient(
      float[] outputs, int offset, double distance, float[] dShifted, float[] dOutputs);
}
