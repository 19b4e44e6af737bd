package io.quantail.audit;

import io.quantail.audit.slow.SlowEstimates;

/**
 * What a sample teaches, from the definitions.
 *
 * @param advantages normalised
 * @param returns in raw units
 * @param targets in normalised units
 */
record Lesson(double[] advantages, double[] returns, double[] targets) {

  static Lesson of(Sample sample) {
    double[] advantages = SlowEstimates.advantages(sample.collected());
    double[] returns = SlowEstimates.sum(advantages, sample.collected().values());
    return new Lesson(
        SlowEstimates.normalized(
            advantages, sample.collected().environments(), sample.config().rollout()),
        returns,
        SlowEstimates.targets(returns, sample.scale()));
  }

  Lesson withoutAdvantages() {
    return new Lesson(new double[advantages.length], returns, targets);
  }
}
