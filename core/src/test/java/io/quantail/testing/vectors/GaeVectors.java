package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quantail.rollout.Gae;
import java.util.Map;

/**
 * Generalised advantage estimation. Vectors tell where episodes start; an episode ended at a step
 * when the next one starts, or at the end when {@code last_dones} says so.
 */
final class GaeVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("gae_", this::check, "sb3_gae", this::check);
  }

  private void check(VectorCase vector) {
    if (vector.expects("error")) {
      checkRefusal(vector);
      return;
    }
    Gae.Result result = Gae.compute(input(vector, vector.number("gae_lambda")));
    // Without a trace the advantage of a step is its delta.
    vector.expectFlat("deltas", Gae.compute(input(vector, 0)).advantages());
    vector.expectFlat("advantages", result.advantages());
    vector.expectFlat("returns", result.returns());
    vector.expectNot("advantages_wrong_leaky", "advantages", result.advantages());
  }

  private void checkRefusal(VectorCase vector) {
    Throwable error = catchThrowable(() -> input(vector, vector.number("gae_lambda")));
    assertThat(error).isInstanceOf(IllegalArgumentException.class);
    vector.expect("error", "non_finite_input");
    String count = vector.expected("non_finite_count").asText();
    String total = vector.expected("total").asText();
    assertThat(error).hasMessageContaining(count + "/" + total);
  }

  private static Gae.Input input(VectorCase vector, double lambda) {
    double[] rewards = vector.doubles("rewards");
    boolean[] limit =
        vector.has("time_limit_mask")
            ? vector.flags("time_limit_mask")
            : new boolean[rewards.length];
    double[] bootstrap =
        vector.has("time_limit_bootstrap")
            ? vector.doubles("time_limit_bootstrap")
            : new double[rewards.length];
    return new Gae.Input(
        vector.doubles("last_values").length,
        rewards,
        vector.doubles("values"),
        terminated(vector, limit),
        limit,
        bootstrap,
        vector.doubles("last_values"),
        vector.number("gamma"),
        lambda);
  }

  private static boolean[] terminated(VectorCase vector, boolean[] limit) {
    boolean[] starts = vector.flags("episode_starts");
    boolean[] lastDones = vector.flags("last_dones");
    boolean[] terminated = new boolean[starts.length];
    for (int i = 0; i < starts.length; i++) {
      int next = i + lastDones.length;
      boolean ended = next < starts.length ? starts[next] : lastDones[next - starts.length];
      terminated[i] = ended && !limit[i];
    }
    return terminated;
  }
}
