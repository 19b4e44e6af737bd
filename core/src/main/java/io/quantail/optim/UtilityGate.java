package io.quantail.optim;

import io.quantail.config.OptimizerConfig;

/**
 * The fraction of its step that a weight takes, given its utility U: {@code gate = S(slope (U -
 * origin))} with the logistic function S.
 *
 * <p>Min-max: {@code n = (U - min) / (max - min)}, {@code gate = 1 - S(2 n - 1)}, between 0.269 for
 * the most and 0.731 for the least useful weight. Global maximum: {@code gate = 1 - S(U / max)}; it
 * protects the least useful weights when every utility is negative. Both are ratios, in which the
 * bias correction of the running mean cancels. Without a range, or without a maximum, there is
 * nothing to compare and every gate is one half.
 *
 * <p>See: Elsayed, Mahmood, "Addressing loss of plasticity and catastrophic forgetting in continual
 * learning", ICLR 2024, arXiv:2404.00781, for the global maximum; min-max is ours. Pinned by {@code
 * upgd_gate_all_negative_utilities} and {@code upgd_equal_utilities}.
 *
 * @param slope of the logistic function's argument
 * @param origin utility at which the gate is one half
 * @param narrow whether all arguments are in [-1, 1], as they are with min-max
 */
record UtilityGate(double slope, double origin, boolean narrow) {
  private static final UtilityGate NEUTRAL = new UtilityGate(0, 0, true);

  /** The gate for utilities that lie between two finite bounds. */
  static UtilityGate of(OptimizerConfig.UtilityNorm norm, double min, double max) {
    UtilityGate gate =
        switch (norm) {
          case MIN_MAX -> new UtilityGate(-2 / (max - min), (min + max) / 2, true);
          case GLOBAL_MAX -> new UtilityGate(-1 / max, 0, Math.abs(min) <= max);
        };
    boolean usable = Math.abs(gate.slope) < Float.MAX_VALUE;
    return usable ? gate : NEUTRAL;
  }

  /** Writes the gates of utilities. */
  void of(float[] utilities, float[] gates) {
    for (int i = 0; i < gates.length; i++) {
      gates[i] =
          narrow
              ? fraction((float) slope * (utilities[i] - (float) origin))
              : (float) of(utilities[i]);
    }
  }

  /**
   * The logistic function of an argument in [-1, 1] by Lambert's continued fraction {@code tanh h =
   * h / (1 + h^2 / (3 + h^2 / (5 + h^2 / (7 + h^2 / 9))))} at {@code h = x / 2}, cleared of
   * fractions. Exact to single precision there ({@code UtilityGateTest}) and, unlike an
   * exponential, computed with vector instructions.
   */
  static float fraction(float x) {
    float y = x * x;
    return 0.5f + x * (15120 + y * (420 + y)) / (60480 + y * (6720 + y * 60));
  }

  /** The gate of one utility. */
  double of(double utility) {
    return 1 / (1 + Math.exp(-slope * (utility - origin)));
  }
}
