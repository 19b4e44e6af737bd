package io.quantail.telemetry;

import io.quantail.math.Percentiles;
import io.quantail.metrics.Metrics;
import io.quantail.network.PolicyDistribution;
import io.quantail.rollout.RolloutPredictions;
import io.quantail.rollout.RolloutPredictions.GaussianShift;
import java.util.Arrays;

/** Reports the policy after an update, on the data of the update, as metrics; reads only. */
public final class PolicyTelemetry {
  private static final double HALF_LOG_2_PI_E = 0.5 * Math.log(2 * Math.PI * Math.E);

  private PolicyTelemetry() {}

  /** Reports log-probabilities and, for a Gaussian policy, its distance from the old one. */
  public static void report(Metrics metrics, RolloutPredictions predictions) {
    metrics.put(
        "train/log_prob_mean",
        Arrays.stream(predictions.logProbabilities()).average().orElseThrow());
    predictions.shift().ifPresent(shift -> gaussian(metrics, shift));
  }

  private static void gaussian(Metrics metrics, GaussianShift shift) {
    double[] distances = shift.distances();
    Percentiles distance = Percentiles.of(distances);
    long beyond = Arrays.stream(distances).filter(z -> z > PolicyDistribution.MAX_SIGMAS).count();
    metrics.put("train/raw_z_clip_fraction", (double) beyond / distances.length);
    metrics.put("diag/z_abs_p50", distance.at(0.5));
    metrics.put("diag/z_abs_p90", distance.at(0.9));
    metrics.put("diag/z_abs_max", distance.at(1));

    Percentiles sigma = Percentiles.of(shift.sigmas());
    metrics.put("diag/sigma_new_p10", sigma.at(0.1));
    metrics.put("diag/sigma_new_p50", sigma.at(0.5));
    double entropies = Arrays.stream(shift.sigmas()).map(s -> Math.log(s) + HALF_LOG_2_PI_E).sum();
    metrics.put("train/policy_entropy_raw", entropies / shift.meanTerms().length);

    double[] divergences = shift.meanTerms().clone();
    Arrays.setAll(divergences, i -> shift.meanTerms()[i] + shift.varianceTerms()[i]);
    Percentiles divergence = Percentiles.of(divergences);
    metrics.put("diag/kl_gauss_p50", divergence.at(0.5));
    metrics.put("diag/kl_gauss_p90", divergence.at(0.9));
    metrics.put("diag/kl_mean_term_p90", Percentiles.of(shift.meanTerms()).at(0.9));
    metrics.put("diag/kl_var_term_p90", Percentiles.of(shift.varianceTerms()).at(0.9));
  }
}
