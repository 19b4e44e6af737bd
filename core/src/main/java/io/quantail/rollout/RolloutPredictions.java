package io.quantail.rollout;

import io.quantail.value.ExplainedVariance;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The network's predictions for transitions of a rollout; values in normalised units.
 *
 * @param transitions the rollout's transition of each row
 * @param values lowest mean of the critics, never clipped
 * @param quantiles [row, level] returns at the {@link #LEVELS}, of the critic with that mean
 * @param cvars mean of the worst outcomes at {@code risk.alpha}, of the same critic
 * @param gaps distance between the means of the first two critics; empty with a single critic
 * @param meanGaps distance between the mean head and the mean of the quantiles
 * @param irregularities fraction of crossing quantiles, or the probability of the outermost atoms
 * @param logProbabilities log-probability of the action that was taken
 * @param shift distance of a Gaussian policy from the collecting one; empty for discrete actions
 */
public record RolloutPredictions(
    int[] transitions,
    double[] values,
    double[] quantiles,
    double[] cvars,
    double[] gaps,
    double[] meanGaps,
    double[] irregularities,
    double[] logProbabilities,
    Optional<GaussianShift> shift) {

  /** The levels of the reported quantiles: tails, quartiles and median. */
  public static final List<Double> LEVELS = List.of(0.05, 0.25, 0.5, 0.75, 0.95);

  /** Picks the values of the rows from one value per transition of the rollout. */
  public double[] pick(double[] perTransition) {
    return Arrays.stream(transitions).mapToDouble(i -> perTransition[i]).toArray();
  }

  /**
   * The fraction of the variance of the targets that the values explain; empty if undefined.
   *
   * @param collected value of every transition during collection, in normalised units
   * @param window steps of a window
   */
  public OptionalDouble explainedVariance(double[] targets, double[] collected, int window) {
    return ExplainedVariance.sampled(
        targets, collected, transitions, values, transitions.length / window);
  }

  /** Mean over all rows of the predicted CVaR. */
  public double meanCvar() {
    return Arrays.stream(cvars).average().orElseThrow();
  }

  /** Mean over all rows of the return at a level, which is one of {@link #LEVELS}. */
  public double meanQuantile(double level) {
    int column = LEVELS.indexOf(level);
    if (column < 0) {
      throw new IllegalArgumentException("level must be one of " + LEVELS + ", was " + level);
    }
    double sum = 0;
    for (int i = column; i < quantiles.length; i += LEVELS.size()) {
      sum += quantiles[i];
    }
    return sum * LEVELS.size() / quantiles.length;
  }

  /**
   * A Gaussian policy before squashing, relative to the one that collected.
   *
   * <p>{@code KL(old || new)} is the sum over action components of the mean term {@code (m - m')² /
   * (2 s'²)} and the variance term, which is the rest.
   *
   * @param distances {@code |a - m'| / s'} of every component of every action
   * @param sigmas standard deviation of every component
   * @param meanTerms mean term of each row
   * @param varianceTerms variance term of each row
   */
  public record GaussianShift(
      double[] distances, double[] sigmas, double[] meanTerms, double[] varianceTerms) {}
}
