package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.state.StateMap;

/** Normalises observations with the statistics from before a sample's rollout. */
final class Observations {
  private static final double EPSILON = 1e-8;

  private Observations() {}

  static double[] normalized(Sample sample, float[] raw) {
    double[] seen = Numbers.doubles(raw);
    if (!sample.config().environment().normalizeObservations()) {
      return seen;
    }
    StateMap statistics = sample.before().child("agent").child("normalizer");
    double[] mean = statistics.doubles("mean", raw.length);
    double[] variance = statistics.doubles("variance", raw.length);
    double limit = sample.config().environment().observationClip();
    for (int i = 0; i < seen.length; i++) {
      double score = (raw[i] - mean[i]) / Math.sqrt(variance[i] + EPSILON);
      seen[i] = Numbers.clip(score, -limit, limit);
    }
    return seen;
  }
}
