package io.quantail.value;

import io.quantail.math.Moments;

/**
 * The scale of returns before the first update, from the rewards of the first rollout alone.
 *
 * <p>For independent rewards without ends of episodes the return has mean {@code mean(r) / (1 -
 * gamma)} and deviation {@code std(r) / sqrt(1 - gamma²)}, with gamma at most {@code 1 - 1 /
 * steps}. If an episode terminated, or rewards hardly vary, so that the deviation says nothing
 * (CartPole pays 1 a step), mean and deviation are those of the discounted sums of rewards from
 * every step to the end of its episode or of the rollout, the deviation not below the other one.
 * Pinned by the vector {@code first_scale}.
 */
final class FirstReturnScale {
  /** Rewards whose deviation is a smaller fraction of their mean say nothing about that of sums. */
  private static final double LEAST_VARIATION = 0.01;

  private FirstReturnScale() {}

  /**
   * The scale of a rollout whose arrays are flattened as [time, environment].
   *
   * @param floor smallest deviation
   */
  static ReturnScale of(
      double[] rewards,
      boolean[] terminated,
      boolean[] truncated,
      int environments,
      double gamma,
      double floor) {
    double steps = (double) rewards.length / environments;
    double discount = Math.min(gamma, 1 - 1 / steps);
    double mean = Moments.mean(rewards);
    double deviation = Moments.deviation(rewards);
    double spread = Math.max(deviation / Math.sqrt(1 - discount * discount), floor);
    boolean ended = false;
    for (boolean end : terminated) {
      ended |= end;
    }
    if (!ended && deviation >= LEAST_VARIATION * Math.abs(mean)) {
      return new ReturnScale(mean / (1 - discount), spread);
    }
    double[] sums = rewards.clone();
    for (int i = rewards.length - environments - 1; i >= 0; i--) {
      if (!terminated[i] && !truncated[i]) {
        sums[i] += gamma * sums[i + environments];
      }
    }
    return new ReturnScale(Moments.mean(sums), Math.max(Moments.deviation(sums), spread));
  }
}
