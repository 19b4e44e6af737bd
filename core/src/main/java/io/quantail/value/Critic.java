package io.quantail.value;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;

/**
 * A distributional critic: how the outputs of a value head describe the distribution of returns of
 * one sample, and the derivatives that training needs.
 *
 * <p>All quantities are in normalised units (see {@link ReturnScale}). Methods take the outputs of
 * a head at an offset, because the heads of twin critics lie side by side. Gradients are written at
 * the same offset. An object has scratch arrays and serves one thread at a time; {@link #another()}
 * gives one for another thread.
 */
public interface Critic {

  /** The critic that the settings describe. */
  static Critic of(CriticConfig config) {
    return switch (config.type()) {
      case QUANTILE -> new QuantileCritic(config.quantiles(), config.huberKappa());
      case CATEGORICAL -> new CategoricalCritic(config.atoms(), config.support());
    };
  }

  /** A critic of the same kind with scratch arrays of its own. */
  Critic another();

  /** How many outputs a value head has per sample. */
  int outputs();

  /** Whether outputs are returns themselves, so that they can follow a change of the scale. */
  boolean outputsAreReturns();

  /** The expected return. */
  double mean(float[] outputs, int offset);

  /** Adds {@code factor} times the derivative of the mean by each output. */
  void addMeanGradient(float[] outputs, int offset, double factor, float[] dOutputs);

  /**
   * The value used for advantages and bootstraps: the lowest of the critics' means.
   *
   * <p>The minimum of means, not the mean of an element-wise minimum: the latter mixes quantiles of
   * different critics and is lower still.
   *
   * @param outputs of all critics, side by side
   */
  default double value(float[] outputs) {
    double lowest = Double.POSITIVE_INFINITY;
    for (int offset = 0; offset < outputs.length; offset += outputs()) {
      lowest = Math.min(lowest, mean(outputs, offset));
    }
    return lowest;
  }

  /**
   * The offset of the critic with the lower mean, whose distribution is that of the return; the
   * first of equal ones.
   *
   * @param outputs of all critics, side by side
   */
  default int lower(float[] outputs) {
    int lower = 0;
    for (int offset = outputs(); offset < outputs.length; offset += outputs()) {
      lower = mean(outputs, offset) < mean(outputs, lower) ? offset : lower;
    }
    return lower;
  }

  /**
   * Reads a distribution for {@link #quantile}, {@link #level} and {@link #cvar(double,
   * RiskConfig.CvarMethod)}.
   */
  void read(float[] outputs, int offset);

  /** The return below which a fraction {@code level} of the distribution lies. */
  double quantile(double level);

  /** The probability of a return at or below the value; NaN if the distribution is not finite. */
  double level(double value);

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
   * The regression loss of a sample against its target.
   *
   * @param dOutputs receives {@code weight} times the derivative by each output
   */
  double loss(float[] outputs, int offset, float target, double weight, float[] dOutputs);

  /**
   * The outputs that describe the distribution moved by a distance.
   *
   * @param shifted receives them, from index 0 on
   */
  void shift(float[] outputs, int offset, double distance, float[] shifted);

  /**
   * The gradient of {@link #shift}, given that of its result.
   *
   * @param dShifted derivative by each shifted output, from index 0 on
   * @param dOutputs receives the derivative by each output with the distance held fixed
   * @return the derivative by the distance
   */
  double shiftGradient(
      float[] outputs, int offset, double distance, float[] dShifted, float[] dOutputs);
}
