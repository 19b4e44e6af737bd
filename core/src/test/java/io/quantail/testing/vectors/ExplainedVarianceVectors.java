package io.quantail.testing.vectors;

import io.quantail.math.WeightedMoments;
import io.quantail.value.ExplainedVariance;
import io.quantail.value.ExplainedVariance.Grouped;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Explained variance. */
final class ExplainedVarianceVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("ev_", this::check, "ev_grouped", this::checkGroups);
  }

  private void check(VectorCase vector) {
    double[] targets = vector.doubles("y_true");
    double[] predictions = vector.doubles("y_pred");
    double[] weights = vector.has("weights") ? vector.doubles("weights") : ones(targets.length);
    double[] errors =
        IntStream.range(0, targets.length).mapToDouble(i -> targets[i] - predictions[i]).toArray();
    OptionalDouble value =
        vector.has("weights")
            ? ExplainedVariance.weighted(targets, predictions, weights)
            : ExplainedVariance.of(targets, predictions);
    vector.expect("ev", value);
    vector.expect("available", value.isPresent());
    vector.expect("var_true", WeightedMoments.variance(targets, weights));
    vector.expect("var_err", WeightedMoments.variance(errors, weights));
    vector.expect("bias_true_minus_pred", ExplainedVariance.bias(targets, predictions));
  }

  private void checkGroups(VectorCase vector) {
    Grouped<String> grouped =
        ExplainedVariance.grouped(
            vector.doubles("y_true"),
            vector.doubles("y_pred"),
            vector.texts("groups"),
            vector.number("variance_floor", 0));
    vector.expectEntries(
        "group_ev",
        group -> grouped.groups().getOrDefault(group, OptionalDouble.empty()).orElse(Double.NaN));
    vector.expect("mean_unweighted", grouped.mean());
    vector.expect("mean_weighted", grouped.weightedMean());
    vector.expect("median", grouped.median());
  }

  private static double[] ones(int length) {
    double[] ones = new double[length];
    Arrays.fill(ones, 1);
    return ones;
  }
}
