package io.quantail.loss;

import io.quantail.config.PpoConfig;

/**
 * The terms of the loss that depend on the log-probability of the action taken, as functions of one
 * sample. Each returns its value and its derivative by the log-probability.
 *
 * <p>See: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
 * 2017, arXiv:1707.06347; Peng, Kumar, Zhang, Levine, "Advantage-weighted regression", 2019,
 * arXiv:1910.00177. Pinned by the vectors {@code ppo_clipped_surrogate}, {@code
 * log_ratio_clamp_pm20} and {@code awr_*}.
 */
public final class PolicyLoss {
  /** The largest log-ratio; beyond exp(20) float32 only loses precision. */
  public static final double LOG_RATIO_LIMIT = 20;

  private static final double MAX_CLONING_WEIGHT = 100;
  private static final double LOG_MAX_CLONING_WEIGHT = Math.log(MAX_CLONING_WEIGHT);

  private PolicyLoss() {}

  /**
   * A term of one sample.
   *
   * @param value to be minimised
   * @param slope its derivative by the log-probability of the action
   */
  public record Term(double value, double slope) {}

  /**
   * {@code -min(r A, clip(r, 1 - eps, 1 + eps) A)} with the ratio {@code r = exp(b(l))}, where b
   * bounds the log-ratio l to ±20.
   *
   * <p>The derivative is {@code -A r b'(l)}, and 0 where the clipped product is the smaller.
   */
  public static Term clippedSurrogate(
      double logRatio, double advantage, double clipRange, PpoConfig.RatioBound bound) {
    Ratio ratio = Ratio.of(logRatio, bound);
    double free = ratio.value * advantage;
    double low = 1 - clipRange;
    double high = 1 + clipRange;
    double clipped = Math.max(low, Math.min(high, ratio.value)) * advantage;
    return new Term(-Math.min(free, clipped), free <= clipped ? -free * ratio.slope : 0);
  }

  /**
   * The ratio of new to old probability.
   *
   * @param slope derivative of the bounded log-ratio by the log-ratio
   */
  public record Ratio(double value, double slope) {
    public static Ratio of(double logRatio, PpoConfig.RatioBound bound) {
      double limit = LOG_RATIO_LIMIT;
      return switch (bound) {
        case HARD ->
            new Ratio(
                StrictMath.exp(Math.max(-limit, Math.min(limit, logRatio))),
                Math.abs(logRatio) <= limit ? 1 : 0);
        case SMOOTH -> {
          double tangent = StrictMath.tanh(logRatio / limit);
          yield new Ratio(StrictMath.exp(limit * tangent), 1 - tangent * tangent);
        }
      };
    }
  }

  /** Advantage-weighted behaviour cloning of the agent's own actions: {@code -w(A) log p}. */
  public static Term cloning(double logProbability, double advantage, double beta) {
    return weighted(logProbability, cloningWeight(advantage, beta, LOG_MAX_CLONING_WEIGHT));
  }

  /** Whether the weight of a sample in the cloning term is at its cap. */
  public static boolean cloningWeightCapped(double advantage, double beta) {
    return advantage / beta >= LOG_MAX_CLONING_WEIGHT;
  }

  /** {@code -w log p} with a weight that is a constant. */
  public static Term weighted(double logProbability, double weight) {
    return new Term(-(logProbability * weight), -weight);
  }

  /** {@code exp(min(A / beta, ln max))}, capped before the exponential: it cannot overflow. */
  public static double cloningWeight(double advantage, double beta, double logLargest) {
    return StrictMath.exp(Math.min(advantage / beta, logLargest));
  }
}
