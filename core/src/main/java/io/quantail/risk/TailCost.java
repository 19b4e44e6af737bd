package io.quantail.risk;

import io.quantail.math.Percentiles;
import io.quantail.rollout.Gae;
import java.util.Arrays;

/**
 * The contribution of each step of a rollout to its lower tail. Subtracted from the advantages, it
 * makes the update raise the CVaR.
 *
 * <p>With {@code nu} the alpha-quantile of the samples, {@code CVaR = nu - E[(nu - X)+] / alpha},
 *
 * <p>and this expression is maximal at that {@code nu}: its derivative with respect to {@code nu}
 * is zero there, so the derivative of the CVaR with respect to the policy is that of {@code -E[(nu
 * - X)+] / alpha} with {@code nu} held fixed. So {@code (nu - x_t)+ / alpha} is a cost like any
 * other, whose policy gradient is that of the negative CVaR; its mean is taken off as a baseline.
 * Where {@code X} is the total of an episode, every step of it has that cost.
 *
 * <p>See: Rockafellar, Uryasev, "Optimization of conditional value-at-risk", Journal of Risk, 2000;
 * Tamar, Glassner, Mannor, "Optimizing the CVaR via sampling", AAAI 2015, arXiv:1404.3862. {@code
 * TailCostTest} pins the gradient against the derivative of an exact CVaR.
 */
public final class TailCost {
  private TailCost() {}

  /** {@code (nu - x)+ / alpha} of each sample, less its mean. */
  public static double[] centered(double[] samples, double alpha) {
    return charged(samples, samples, alpha);
  }

  /**
   * {@code (nu - x)+ / alpha} of each step, less its mean over the steps that have a sample.
   *
   * @param perStep sample of each step; NaN for none, which costs nothing
   * @param samples of which {@code nu} is the alpha-quantile
   */
  public static double[] charged(double[] perStep, double[] samples, double alpha) {
    double valueAtRisk = Percentiles.of(samples).at(alpha);
    double[] shortfalls =
        Arrays.stream(perStep).map(x -> Math.max(0, valueAtRisk - x) / alpha).toArray();
    double mean = Arrays.stream(shortfalls).filter(Double::isFinite).average().orElse(0);
    return Arrays.stream(shortfalls).map(x -> Double.isNaN(x) ? 0 : x - mean).toArray();
  }

  /** The mean cost of each transition that has several samples, [transition, sample]. */
  public static double[] averaged(double[] costs, int transitions) {
    int samples = costs.length / transitions;
    double[] means = new double[transitions];
    for (int i = 0; i < costs.length; i++) {
      means[i / samples] += costs[i] / samples;
    }
    return means;
  }

  /**
   * The costs that an action may have caused: that of its step and of the later ones of its
   * episode, discounted with {@code gamma lambda} as in advantages.
   */
  public static double[] traced(double[] costs, Gae.Input input) {
    double[] traced = costs.clone();
    double discount = input.gamma() * input.lambda();
    for (int index = costs.length - input.environments() - 1; index >= 0; index--) {
      if (!input.terminated()[index] && !input.truncated()[index]) {
        traced[index] += discount * traced[index + input.environments()];
      }
    }
    return traced;
  }
}
