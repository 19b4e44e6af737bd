package io.quantail.testing.vectors;

import io.quantail.optim.MicrobatchWeights;
import io.quantail.rollout.SequenceBatch;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** Splitting rows into sequences, and microbatches into weights. */
final class BatchVectors implements VectorFamily {
  private static final String NO_PADDING = "sequences of different lengths are packed, not padded";

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "sequence_split_and_padding", this::checkSplit,
        "grad_accum_weighted", this::checkMicrobatches,
        "grad_accumulation_weights", this::checkCounts);
  }

  private void checkSplit(VectorCase vector) {
    SequenceBatch.Split split =
        SequenceBatch.Split.of(vector.flags("episode_starts"), vector.flags("env_change"));
    vector.expect("seq_start_indices", split.starts());
    vector.expect("lengths", split.lengths());
    vector.expect("total_weight", Arrays.stream(split.lengths()).sum());
    vector.ignore("padded", NO_PADDING);
    vector.ignore("mask", NO_PADDING);
  }

  private void checkMicrobatches(VectorCase vector) {
    double[][] microbatches = vector.matrix("microbatches");
    double[] counts = Arrays.stream(microbatches).mapToDouble(batch -> batch.length).toArray();
    double[] means = Arrays.stream(microbatches).mapToDouble(BatchVectors::mean).toArray();
    double[] weights = MicrobatchWeights.of(counts);
    double accumulated = dot(weights, means);
    vector.expect("weights", weights);
    vector.expect("accumulated", accumulated);
    vector.expect("full_batch", accumulated);
    vector.expect("full_batch", mean(vector.doubles("sample_losses")));
    vector.expectNot("wrong_equal_weights", "accumulated", accumulated);
    vector.expectNot("wrong_unnormalised_sum", "accumulated", accumulated);
  }

  private void checkCounts(VectorCase vector) {
    double[] weights = MicrobatchWeights.of(vector.doubles("valid_counts"));
    vector.expect("weights", weights);
    vector.expect("group_loss", dot(weights, vector.doubles("mean_losses")));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double dot(double[] left, double[] right) {
    return IntStream.range(0, left.length).mapToDouble(i -> left[i] * right[i]).sum();
  }
}
