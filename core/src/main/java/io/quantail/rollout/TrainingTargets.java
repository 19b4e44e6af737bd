package io.quantail.rollout;

import io.quantail.config.RolloutConfig;
import io.quantail.value.ReturnScale;

/**
 * Advantages of one rollout, normalised once over all its transitions, and critic targets.
 *
 * @param normalized the advantages with their statistics
 * @param returns raw returns per transition
 * @param targets returns in normalised units per transition; never clipped
 */
public record TrainingTargets(
    AdvantageNormalizer.Normalized normalized, double[] returns, double[] targets) {

  /**
   * @param gae advantages, adjusted for risk if they are to be, and returns
   * @param environments how many environments the rollout has
   */
  public static TrainingTargets of(
      Gae.Result gae, int environments, RolloutConfig config, ReturnScale scale) {
    AdvantageNormalizer.Normalized normalized =
        AdvantageNormalizer.normalize(
            gae.advantages(), environments, config.normalizeAdvantagePerEnvironment());
    return new TrainingTargets(normalized, gae.returns(), scale.normalize(gae.returns()));
  }

  /** Normalised advantages per transition. */
  public double[] advantages() {
    return normalized.values();
  }
}
