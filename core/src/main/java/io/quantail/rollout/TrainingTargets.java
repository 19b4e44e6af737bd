package io.quantail.rollout;

import io.quantail.config.CriticConfig;
import io.quantail.config.RolloutConfig;
import io.quantail.config.RunConfig;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;

/**
 * Advantages of one rollout, normalised once over all its transitions, and critic targets. They are
 * formed once per update, before its first epoch.
 *
 * @param normalized the advantages with their statistics
 * @param returns raw GAE returns per transition
 * @param targets the same in normalised units, for the expected return; never clipped
 * @param distribution the particles of each transition, in raw units
 * @param particles the same in normalised units, [t, e, k]; never clipped
 */
public record TrainingTargets(
    AdvantageNormalizer.Normalized normalized,
    double[] returns,
    double[] targets,
    ReturnTargets distribution,
    float[] particles) {

  /**
   * The targets of a rollout.
   *
   * @param gae advantages, adjusted for risk if they are to be, and returns
   * @param distribution the particles of each transition, in raw units
   * @param environments how many environments the rollout has
   */
  public static TrainingTargets of(
      Gae.Result gae,
      ReturnTargets distribution,
      int environments,
      RolloutConfig rollout,
      ReturnScale scale) {
    float[] particles = new float[distribution.particles().length];
    for (int i = 0; i < particles.length; i++) {
      particles[i] = (float) scale.normalize(distribution.particles()[i]);
    }
    return new TrainingTargets(
        AdvantageNormalizer.normalize(
            gae.advantages(),
            environments,
            rollout.normalizeAdvantagePerEnvironment(),
            rollout.advantageFloor() * scale.std()),
        gae.returns(),
        scale.normalize(gae.returns()),
        distribution,
        particles);
  }

  /**
   * The particles that the settings ask for.
   *
   * @param update number of updates so far
   * @param collected rewards and ends of episodes of the rollout
   * @param gae its returns
   */
  public static ReturnTargets distribution(
      RunConfig config,
      long update,
      Rollout rollout,
      Gae.Input collected,
      Gae.Result gae,
      Critic critic,
      ReturnScale scale) {
    CriticConfig settings = config.critic();
    if (settings.targets() == CriticConfig.Targets.GAE) {
      return ReturnTargets.ofMeans(gae.returns());
    }
    return ReturnTargets.of(
        collected,
        new PredictedReturns(rollout, critic, scale),
        ReturnTargets.uniforms(config.seed(), update, rollout.shape().transitions()),
        settings.particles(),
        config.targetLambda());
  }

  /** Normalised advantages per transition. */
  public double[] advantages() {
    return normalized.values();
  }
}
