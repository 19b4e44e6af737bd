package io.quantail.ppo;

import io.quantail.config.RolloutConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.rollout.Advantages;
import io.quantail.rollout.Gae;

/**
 * Advantages of one rollout, normalised once over all its transitions, and critic targets.
 *
 * @param normalized the advantages with their statistics
 * @param returns raw returns per transition
 * @param targets returns in normalised units per transition; never clipped
 */
public record Estimates(Advantages.Normalized normalized, double[] returns, double[] targets) {

  /**
   * @param gae advantages, adjusted for risk if they are to be, and returns
   * @param environments how many environments the rollout has
   */
  public static Estimates of(
      Gae.Result gae, int environments, RolloutConfig config, ReturnScale scale) {
    Advantages.Normalized normalized =
        Advantages.normalize(
            gae.advantages(), environments, config.normalizeAdvantagePerEnvironment());
    return new Estimates(normalized, gae.returns(), scale.normalize(gae.returns()));
  }

  /** Normalised advantages per transition. */
  public double[] advantages() {
    return normalized.values();
  }
}
