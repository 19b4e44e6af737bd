package io.quantail.env.vector;

import io.quantail.rollout.Gae;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Map;
import java.util.stream.IntStream;

/** Seeds after restarts, and what a restart looks like to the advantage estimate. */
public final class FaultVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("worker_seeds", this::seeds, "watchdog_restart_gae", this::advantages);
  }

  private void seeds(VectorCase vector) {
    long base = vector.integer("base_seed");
    int count = vector.integer("num_envs");
    vector.expect(
        "recommended",
        IntStream.of(vector.integers("restart_index"))
            .flatMap(
                restart ->
                    IntStream.range(0, count)
                        .map(rank -> (int) EpisodeSeeds.of(base, restart, count, rank)))
            .toArray());
  }

  private void advantages(VectorCase vector) {
    double[] rewards = vector.doubles("rewards");
    boolean[] truncated = new boolean[rewards.length];
    double[] bootstrap = new double[rewards.length];
    int restart = vector.integer("restart_step");
    truncated[restart] = true;
    bootstrap[restart] = vector.number("bootstrap_value");
    Gae.Input input =
        new Gae.Input(
            1,
            rewards,
            vector.doubles("values"),
            new boolean[rewards.length],
            truncated,
            bootstrap,
            new double[] {vector.number("last_value")},
            vector.number("gamma"),
            vector.number("gae_lambda"));
    vector.expect("advantages_recommended_as_truncation", Gae.compute(input).advantages());
  }
}
