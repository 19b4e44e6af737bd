package io.quantail.audit;

import io.quantail.audit.reference.ReferenceAdvantages;

/**
 * Normalised advantages, returns and critic targets of a sample by the reference implementation.
 *
 * @param advantages normalised
 * @param returns in raw units
 * @param targets in normalised units
 */
record ReferenceTargets(double[] advantages, double[] returns, double[] targets) {

  static ReferenceTargets of(SampleRollout sample) {
    double[] advantages = ReferenceAdvantages.advantages(sample.collected());
    double[] returns = ReferenceAdvantages.sum(advantages, sample.collected().values());
    return new ReferenceTargets(
        ReferenceAdvantages.normalized(
            advantages, sample.collected().environments(), sample.config().rollout()),
        returns,
        ReferenceAdvantages.targets(returns, sample.scale()));
  }

  ReferenceTargets withoutAdvantages() {
    return new ReferenceTargets(new double[advantages.length], returns, targets);
  }
}
