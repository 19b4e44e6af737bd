package io.quantail.audit;

import io.quantail.audit.slow.SlowEstimates;

/**
 * Normalised advantages, returns and critic targets of a sample by the reference implementation.
 *
 * @param advantages normalised
 * @param returns in raw units
 * @param targets in normalised units
 */
record ReferenceTargets(double[] advantages, double[] returns, double[] targets) {

  static ReferenceTargets of(Sample sample) {
    double[] advantages = SlowEstimates.advantages(sample.collected());
    double[] returns = SlowEstimates.sum(advantages, sample.collected().values());
    return new ReferenceTargets(
        SlowEstimates.normalized(
            advantages, sample.collected().environments(), sample.config().rollout()),
        returns,
        SlowEstimates.targets(returns, sample.scale()));
  }

  ReferenceTargets withoutAdvantages() {
    return new ReferenceTargets(new double[advantages.length], returns, targets);
  }
}
