package io.quantail.value;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.network.Parameters;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** Raw returns, normalised returns, and what happens when the scale between them moves. */
public final class ReturnVectors implements VectorFamily {
  private static final double TINY_FLOOR = 1e-12;
  private static final double NO_CAP = 1e12;
  private static final double NO_LIMIT = 1e12;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "return_normalise_roundtrip", this::checkRoundTrip,
        "return_stats_ema", this::checkFollowing,
        "return_stats_rate_limit", this::checkRateLimit,
        "popart_output_preserving_rescale", this::checkRescale,
        "nonnormalised_scale_path", this::checkScaleMode,
        "buffer_value_from_normalised", this::checkStoredValue);
  }

  private void checkRoundTrip(VectorCase vector) {
    ReturnScaleTracker statistics =
        new ReturnScaleTracker(
            new ReturnScaleConfig(
                ReturnScaleConfig.Mode.Z_SCORE,
                ReturnScaleConfig.Spread.STD,
                1,
                vector.number("std_floor"),
                0,
                0,
                NO_CAP));
    ReturnScale scale =
        statistics.commit(spread(vector.number("ret_mean"), vector.number("ret_std")));
    double[] normalized = scale.normalize(vector.doubles("raw"));
    vector.expect("norm", normalized);
    vector.expect("raw_back", Arrays.stream(normalized).map(scale::denormalize).toArray());
  }

  private void checkFollowing(VectorCase vector) {
    ReturnScaleTracker statistics = statistics(vector.number("beta"), NO_LIMIT);
    statistics.commit(spread(vector.number("mean"), vector.number("std")));
    ReturnScale next =
        statistics.commit(
            spread(vector.number("sample_mean"), Math.sqrt(vector.number("sample_var"))));
    vector.expect("new_mean", next.mean());
    vector.expect("new_second", ReturnScaleTracker.secondMoment(next));
    vector.expect("new_var", next.std() * next.std());
    vector.expect("new_std", next.std());
  }

  private void checkRateLimit(VectorCase vector) {
    double[] proposed = vector.doubles("proposed_std");
    double[] means = new double[proposed.length];
    double[] stds = new double[proposed.length];
    for (int i = 0; i < proposed.length; i++) {
      ReturnScaleTracker statistics = statistics(1, vector.number("max_rel_step"));
      statistics.commit(spread(vector.number("old_mean"), vector.number("old_std")));
      ReturnScale limited = statistics.commit(spread(vector.number("proposed_mean"), proposed[i]));
      means[i] = limited.mean();
      stds[i] = limited.std();
    }
    vector.expect("limited_mean", means);
    vector.expect("limited_std", stds);
  }

  private void checkRescale(VectorCase vector) {
    ReturnScale before = new ReturnScale(vector.number("old_mean"), vector.number("old_std"));
    ReturnScale after = new ReturnScale(vector.number("new_mean"), vector.number("new_std"));
    double[] latent = vector.doubles("h");
    double[] weights = vector.doubles("W");
    int count = weights.length;
    float[] head = new float[count + 1]; // weights, then the bias
    for (int i = 0; i < count; i++) {
      head[i] = (float) weights[i];
    }
    head[count] = (float) vector.number("b");
    vector.expect("denormalised_before", before.denormalize(output(head, latent)));
    ValueHeadRescale.rescale(
        head, new Parameters.Range(0, count), new Parameters.Range(count, 1), before, after);
    vector.expect("W_new", IntStream.range(0, count).mapToDouble(i -> head[i]).toArray());
    vector.expect("b_new", head[count]);
    vector.expect("denormalised_after", after.denormalize(output(head, latent)));
  }

  private static double output(float[] head, double[] latent) {
    double output = head[latent.length];
    for (int i = 0; i < latent.length; i++) {
      output += head[i] * latent[i];
    }
    return output;
  }

  /** We have no separate base: it is divided out before and multiplied back after. */
  private void checkScaleMode(VectorCase vector) {
    double base = vector.number("base");
    ReturnScaleTracker statistics =
        new ReturnScaleTracker(
            new ReturnScaleConfig(
                ReturnScaleConfig.Mode.SCALE,
                ReturnScaleConfig.Spread.STD,
                1,
                TINY_FLOOR,
                0,
                0,
                NO_CAP));
    ReturnScale scale = statistics.commit(new double[] {vector.number("p99_abs_returns") / base});
    double[] normalized =
        scale.normalize(Arrays.stream(vector.doubles("raw")).map(raw -> raw / base).toArray());
    vector.expect("eff", 1 / scale.std());
    vector.expect("norm", normalized);
    vector.expect(
        "raw_back",
        Arrays.stream(normalized).map(value -> scale.denormalize(value) * base).toArray());
  }

  private void checkStoredValue(VectorCase vector) {
    ReturnScale scale = new ReturnScale(vector.number("ret_mean"), vector.number("ret_std"));
    double factor = vector.number("value_target_scale");
    double[] values = Arrays.stream(vector.doubles("v_norm")).map(scale::denormalize).toArray();
    vector.expect("v_buffer", Arrays.stream(values).map(value -> value / factor).toArray());
    vector.ignore("reward_buffer", "rewards are stored as they come; there is no second scale");
  }

  private static ReturnScaleTracker statistics(double beta, double largestStep) {
    return new ReturnScaleTracker(
        new ReturnScaleConfig(
            ReturnScaleConfig.Mode.Z_SCORE,
            ReturnScaleConfig.Spread.STD,
            beta,
            TINY_FLOOR,
            0,
            largestStep,
            NO_CAP));
  }

  /** Two returns with the given mean and population standard deviation. */
  private static double[] spread(double mean, double std) {
    return new double[] {mean - std, mean + std};
  }
}
