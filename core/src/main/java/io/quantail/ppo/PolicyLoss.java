package io.quantail.ppo;

import io.quantail.config.RatioBound;
import io.quantail.tensor.Tensor;

/**
 * The policy terms of the loss, as pure functions of tensors with one row a sample.
 *
 * <p>See: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
 * 2017, arXiv:1707.06347; Peng, Kumar, Zhang, Levine, "Advantage-weighted regression", 2019,
 * arXiv:1910.00177; for k3: Schulman, "Approximating KL divergence", 2020. Pinned by the vectors
 * {@code ppo_clipped_surrogate}, {@code log_ratio_clamp_pm20}, {@code kl_*}, {@code awr_*}.
 */
public final class PolicyLoss {
  /** exp(20) is the largest ratio worth telling apart; beyond it float32 only loses precision. */
  static final double LOG_RATIO_LIMIT = 20;

  private static final double MAX_CLONING_WEIGHT = 100;
  private static final double LOG_MAX_CLONING_WEIGHT = Math.log(MAX_CLONING_WEIGHT);

  private PolicyLoss() {}

  /** {@code pi_new / pi_old}, with the log-ratio kept within 20 on both sides before exp. */
  public static Tensor ratio(Tensor logRatio, RatioBound bound) {
    Tensor bounded =
        switch (bound) {
          case HARD -> logRatio.clamp(-LOG_RATIO_LIMIT, LOG_RATIO_LIMIT);
          case SMOOTH -> logRatio.mul(1 / LOG_RATIO_LIMIT).tanh().mul(LOG_RATIO_LIMIT);
        };
    return bounded.exp();
  }

  /** {@code min(r A, clip(r, 1 - eps, 1 + eps) A)} of each sample; to be maximised. */
  public static Tensor clippedSurrogate(Tensor ratio, Tensor advantages, double clipRange) {
    Tensor clipped = ratio.clamp(1 - clipRange, 1 + clipRange);
    return ratio.mul(advantages).minimum(clipped.mul(advantages));
  }

  /**
   * {@code exp(min(A / beta, ln 100))}, capped before the exponential so that it cannot overflow.
   */
  public static Tensor cloningWeights(Tensor advantages, double beta) {
    return cloningWeights(advantages, beta, MAX_CLONING_WEIGHT);
  }

  static Tensor cloningWeights(Tensor advantages, double beta, double largest) {
    return advantages
        .detach()
        .mul(1 / beta)
        .clamp(Double.NEGATIVE_INFINITY, Math.log(largest))
        .exp();
  }

  /** The weight of one sample. */
  static double cloningWeight(double advantage, double beta) {
    return StrictMath.exp(Math.min(advantage / beta, LOG_MAX_CLONING_WEIGHT));
  }

  /** Weighted negative log-likelihood of the agent's own actions, one value a sample. */
  public static Tensor cloning(Tensor logProbability, Tensor advantages, double beta) {
    return cloning(logProbability, cloningWeights(advantages, beta));
  }

  static Tensor cloning(Tensor logProbability, Tensor weights) {
    return logProbability.mul(weights).neg();
  }
}
