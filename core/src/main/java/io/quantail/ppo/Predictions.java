package io.quantail.ppo;

import java.util.Optional;

/**
 * What the network says of a rollout's transitions after the update; values in normalised units.
 *
 * @param values lowest mean of the critics, never clipped
 * @param medians median return, averaged over the critics
 * @param spreads distance between the quartiles, averaged over the critics
 * @param cvars mean of the worst outcomes at {@code risk.alpha}, averaged over the critics
 * @param gaps distance between the means of the first two critics; empty with a single critic
 * @param logProbabilities log-probability of the action that was taken
 * @param shift how a Gaussian policy moved; empty for discrete actions
 */
public record Predictions(
    double[] values,
    double[] medians,
    double[] spreads,
    double[] cvars,
    double[] gaps,
    double[] logProbabilities,
    Optional<GaussianShift> shift) {

  /**
   * A Gaussian policy before squashing, after the update, seen from the one that collected.
   *
   * <p>{@code KL(old || new)} is the sum over action components of the mean term {@code (m - m')² /
   * (2 s'²)} and the variance term, which is the rest.
   *
   * @param distances {@code |a - m'| / s'} of every component of every action
   * @param sigmas standard deviation of every component
   * @param meanTerms mean term of each transition
   * @param varianceTerms variance term of each transition
   */
  public record GaussianShift(
      double[] distances, double[] sigmas, double[] meanTerms, double[] varianceTerms) {}
}
