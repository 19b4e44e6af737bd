package io.quantail.optim;

import io.quantail.config.UtilityNorm;
import io.quantail.tensor.Tensor;

/**
 * How much of its step a weight takes, given its utility U: {@code gate = S(slope (U - origin))}
 * with the logistic function S.
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
 */
record UtilityGate(double slope, double origin) {
  private static final UtilityGate NEUTRAL = new UtilityGate(0, 0);

  /** The gate for utilities that lie between two finite bounds. */
  static UtilityGate of(UtilityNorm norm, double min, double max) {
    UtilityGate gate =
        switch (norm) {
          case MIN_MAX -> new UtilityGate(-2 / (max - min), (min + max) / 2);
          case GLOBAL_MAX -> new UtilityGate(-1 / max, 0);
        };
    boolean usable = Math.abs(gate.slope) < Float.MAX_VALUE;
    return usable ? gate : NEUTRAL;
  }

  /** The gates of utilities. */
  Tensor of(Tensor utilities) {
    return utilities.add(-origin).mulInPlace(slope).sigmoidInPlace();
  }

  /** The gate of one utility. */
  double of(double utility) {
    return 1 / (1 + Math.exp(-slope * (utility - origin)));
  }
}
