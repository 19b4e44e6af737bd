package io.quantail.rollout;

import io.quantail.metrics.Percentiles;
import java.util.Arrays;

/**
 * How much each step of a rollout adds to its lower tail: what a policy that is to raise the CVaR
 * subtracts from its advantages.
 *
 * <p>With {@code nu} the alpha-quantile of the samples, {@code CVaR = nu - E[(nu - X)+] / alpha},
 * and at that {@code nu} the derivative of the CVaR with respect to the policy is that of the
 * second part alone. So {@code (nu - x_t)+ / alpha} is a cost like any other, whose policy gradient
 * is that of the negative CVaR; its mean is taken off as a baseline.
 *
 * <p>See: Rockafellar, Uryasev, "Optimization of conditional value-at-risk", Journal of Risk, 2000;
 * Tamar, Glassner, Mannor, "Optimizing the CVaR via sampling", AAAI 2015, arXiv:1404.3862. {@code
 * TailShortfallTest} pins the gradient against the derivative of an exact CVaR.
 */
public final class TailShortfall {
  private TailShortfall() {}

  /** {@code (nu - x)+ / alpha} of each sample, less its mean. */
  public static double[] centered(double[] samples, double alpha) {
    double valueAtRisk = Percentiles.of(samples).at(alpha);
    double[] shortfalls =
        Arrays.stream(samples).map(x -> Math.max(0, valueAtRisk - x) / alpha).toArray();
    double mean = Arrays.stream(shortfalls).average().orElseThrow();
    return Arrays.stream(shortfalls).map(shortfall -> shortfall - mean).toArray();
  }

  /**
   * What an action at each step may have caused: the cost of the step and of the later ones of its
   * episode, fading with {@code gamma lambda} as advantages do.
   */
  public static double[] traced(double[] costs, Gae.Input input) {
    double[] traced = costs.clone();
    double fading = input.gamma() * input.lambda();
    for (int index = costs.length - input.environments() - 1; index >= 0; index--) {
      if (!input.terminated()[index] && !input.truncated()[index]) {
        traced[index] += fading * traced[index + input.environments()];
      }
    }
    return traced;
  }
}
