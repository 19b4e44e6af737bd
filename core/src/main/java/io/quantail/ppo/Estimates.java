package io.quantail.ppo;

import io.quantail.config.RolloutConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.rollout.Advantages;
import io.quantail.rollout.Gae;
import io.quantail.rollout.Rollout;

/**
 * What a rollout teaches: advantages, normalised once over the whole rollout, and critic targets.
 *
 * @param normalized the advantages with their statistics
 * @param returns raw returns per transition
 * @param targets returns in normalised units per transition; never clipped
 */
public record Estimates(Advantages.Normalized normalized, double[] returns, double[] targets) {

  public static Estimates of(Rollout rollout, RolloutConfig config, ReturnScale scale) {
    Gae.Result gae = Gae.compute(rollout.gaeInput(config.gamma(), config.gaeLambda()));
    Advantages.Normalized normalized =
        Advantages.normalize(
            gae.advantages(),
            rollout.shape().environments(),
            config.normalizeAdvantagePerEnvironment());
    return new Estimates(normalized, gae.returns(), scale.normalize(gae.returns()));
  }

  /** Normalised advantages per transition. */
  public double[] advantages() {
    return normalized.values();
  }
}
