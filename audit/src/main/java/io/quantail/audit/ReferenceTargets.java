package io.quantail.audit;

import io.quantail.audit.reference.ReferenceAdvantages;
import io.quantail.audit.reference.ReferenceCritic;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceNetwork;
import io.quantail.audit.reference.ReferenceReturns;
import io.quantail.audit.reference.ReferenceRollout;
import io.quantail.config.CriticConfig;
import io.quantail.rollout.Gae;
import java.util.Arrays;

/**
 * Normalised advantages, returns and critic targets of a sample by the reference implementation.
 *
 * @param advantages normalised
 * @param returns GAE returns in raw units
 * @param targets the same in normalised units
 * @param particles [transition][particle] in normalised units, rounded to single precision
 */
record ReferenceTargets(
    double[] advantages, double[] returns, double[] targets, double[][] particles) {

  /** Least distance of particles from quantiles: more than rounding and differences move them. */
  private static final double DISTANCE = 1e-4;

  static ReferenceTargets of(SampleRollout sample) {
    double[] advantages = ReferenceAdvantages.advantages(sample.collected());
    double[] returns = returns(sample);
    return new ReferenceTargets(
        ReferenceAdvantages.normalized(
            advantages,
            sample.collected().environments(),
            sample.config().rollout(),
            sample.scale()),
        returns,
        ReferenceAdvantages.targets(returns, sample.scale()),
        normalized(sample, distribution(sample, returns)));
  }

  /** Values and the sums of TD errors that follow, with the trace decay of the targets. */
  static double[] returns(SampleRollout sample) {
    Double lambda = sample.config().critic().targetLambda();
    Gae.Input input = sample.collected();
    Gae.Input decayed =
        new Gae.Input(
            input.environments(),
            input.rewards(),
            input.values(),
            input.terminated(),
            input.truncated(),
            input.bootstrap(),
            input.lastValues(),
            input.gamma(),
            lambda == null ? input.lambda() : lambda);
    return ReferenceAdvantages.sum(ReferenceAdvantages.advantages(decayed), input.values());
  }

  /** The particles of the sample's update in raw units. */
  static ReferenceReturns.Particles distribution(SampleRollout sample, double[] returns) {
    return ReferenceReturns.of(
        sample.config(),
        sample.updates(),
        sample.collected(),
        returns,
        sample.experience().followingOutputs(),
        sample.scale());
  }

  private static double[][] normalized(SampleRollout sample, ReferenceReturns.Particles raw) {
    return Arrays.stream(raw.values())
        .map(
            step ->
                ReferenceMath.doubles(
                    ReferenceMath.floats(ReferenceAdvantages.targets(step, sample.scale()))))
        .toArray(double[][]::new);
  }

  ReferenceTargets withoutAdvantages() {
    return new ReferenceTargets(new double[advantages.length], returns, targets, particles);
  }

  /**
   * The same with particles that keep a distance from all quantiles, free and clipped, that a
   * network predicts; see {@link ReferenceCritic#separated}.
   */
  ReferenceTargets separated(SampleRollout sample, CriticConfig config, float[] parameters) {
    ReferenceCritic critic = new ReferenceCritic(config);
    ReferenceNetwork network = sample.referenceNetwork();
    ReferenceRollout experience = sample.experience();
    double[] values = ReferenceMath.doubles(parameters);
    double[][] apart = particles.clone();
    for (int window : sample.allWindows()) {
      experience.forEachStep(
          window,
          network,
          (at, state) -> {
            double[][] outputs =
                network.step(values, experience.observations()[at], state).critics();
            double[][] quantiles = new double[2 * outputs.length][];
            for (int i = 0; i < outputs.length; i++) {
              double[] old = critic.points(experience.criticOutputs()[at][i]);
              quantiles[2 * i] = critic.points(outputs[i]);
              quantiles[2 * i + 1] =
                  config.clip().enabled()
                      ? critic.clip(quantiles[2 * i], old, config.clip())
                      : quantiles[2 * i];
            }
            apart[at] = critic.separated(particles[at], DISTANCE, quantiles);
          });
    }
    return new ReferenceTargets(advantages, returns, targets, apart);
  }

  /** All particles, one transition after the other. */
  double[] flatParticles() {
    return Arrays.stream(particles).flatMapToDouble(Arrays::stream).toArray();
  }
}
