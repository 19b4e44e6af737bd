package io.quantail.testing.vectors;

import io.quantail.rollout.AdvantageNormalizer;
import io.quantail.rollout.AdvantageNormalizer.Normalized;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Advantage normalisation. */
final class AdvantageVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "adv_norm_", this::checkWhole,
        "adv_norm_per_env_vs_global", this::checkPerEnvironment,
        "adv_norm_group_not_per_microbatch", this::checkOnce);
  }

  private void checkWhole(VectorCase vector) {
    Normalized normalized = AdvantageNormalizer.normalize(vector.doubles("advantages"), 1, false);
    vector.expect("mean", normalized.rawMean());
    vector.expect("std", normalized.rawStd());
    vector.expectFlat("normalized", normalized.values());
    vector.expect("warn", !normalized.warnings().isEmpty());
  }

  private void checkPerEnvironment(VectorCase vector) {
    double[] advantages = vector.doubles("advantages");
    int environments = vector.matrix("advantages")[0].length;
    vector.expectFlat(
        "per_env", AdvantageNormalizer.normalize(advantages, environments, true).values());
    vector.expectFlat(
        "global_", AdvantageNormalizer.normalize(advantages, environments, false).values());
  }

  private void checkOnce(VectorCase vector) {
    double[] first = vector.doubles("microbatch_1");
    double[] second = vector.doubles("microbatch_2");
    double[] rollout = DoubleStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
    double[] values = AdvantageNormalizer.normalize(rollout, 1, false).values();
    double[] firstValues = Arrays.copyOf(values, first.length);
    double[] secondValues = Arrays.copyOfRange(values, first.length, values.length);
    vector.expect("normalized_microbatch_1", firstValues);
    vector.expect("normalized_microbatch_2", secondValues);
    vector.expectNot("wrong_per_microbatch_1", "normalized_microbatch_1", firstValues);
    vector.expectNot("wrong_per_microbatch_2", "normalized_microbatch_2", secondValues);
  }
}
