package io.quantail.testing.vectors;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/** Vectors that are skipped, each with its reason. */
final class SkippedVectors implements VectorFamily {
  private static final String AUDITED_GATE = "uses the gate of the audited program";

  private static final Map<String, String> NOT_FOR_US =
      Map.of(
          "critic_gradient_scale",
          "dropped: the audited program sets the scale to 1 in every phase, and critics here have a"
              + " memory of their own unless told to share it",
          "upgdw_three_steps_equals_adaptive",
          AUDITED_GATE,
          "adaptive_upgd_three_steps_instant_noise",
          AUDITED_GATE,
          "entropy_boost",
          "dropped: it reacts to the critic's quality, not to entropy; a floor is enough",
          "score_to_raw_",
          "raw actions are stored, so a squashed action never has to be inverted",
          "kl_penalty_pid",
          "replaced by doubling and halving: added to the coefficient at every update, the"
              + " controller integrates twice",
          "value_support_range_update",
          "the support is fixed in normalised units: moving atoms change what logits mean",
          "value_scale_smoothing",
          "the scale has one smoothing, that of the return statistics",
          "objective_score",
          "weighs regimes of a market simulator that the audited program had; ours are measured on"
              + " data");

  /** Checked by the tests of the module market. */
  private static final List<String> OF_MARKET =
      List.of("win_rate_", "rollout_trading_", "long_only_", "sortino_", "auto_time_split");

  @Override
  public Map<String, VectorCheck> checks() {
    Map<String, VectorCheck> checks = new TreeMap<>();
    NOT_FOR_US.forEach((name, reason) -> checks.put(name, skip("not for us: " + reason)));
    OF_MARKET.forEach(name -> checks.put(name, skip("checked in the module market")));
    return checks;
  }

  private static VectorCheck skip(String reason) {
    return vector -> Assumptions.abort(reason);
  }
}
