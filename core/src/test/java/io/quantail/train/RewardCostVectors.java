package io.quantail.train;

import io.quantail.metrics.Metrics;
import io.quantail.telemetry.RolloutTelemetry;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Map;

/** Costs that are not finite are missing. Text cannot reach us: infos hold numbers only. */
public final class RewardCostVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("reward_costs_filter", this::check);
  }

  private void check(VectorCase vector) {
    double[] costs =
        vector.texts("costs").stream().mapToDouble(RewardCostVectors::number).toArray();
    Metrics metrics = new Metrics();
    RolloutTelemetry.rewardCosts(metrics, costs);
    vector.expect("finite", RolloutTelemetry.finite(costs));
    vector.expect("median", metrics.snapshot().get("train/reward_costs_in_fraction"));
    vector.expect("mean", metrics.snapshot().get("train/reward_costs_mean_in_fraction"));
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException noNumber) {
      return Double.NaN;
    }
  }
}
