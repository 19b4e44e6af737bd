package io.quantail.ppo;

import io.quantail.config.RatioBound;
import io.quantail.metrics.Metrics;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.vectors.VectorCase;
import io.quantail.vectors.VectorCheck;
import io.quantail.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The terms of the loss, how they add up, and what is measured on the way. */
public final class LossVectors implements VectorFamily {
  private static final double EXTREME = 10;
  private static final double UNUSED = 0;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "ppo_clipped_surrogate", this::checkSurrogate,
        "log_ratio_clamp_pm20", this::checkClamp,
        "kl_k1_and_k3", this::checkEstimators,
        "awr_weights_and_loss", this::checkCloning,
        "total_loss_composition", this::checkTotal);
  }

  private void checkSurrogate(VectorCase vector) {
    double[] before = vector.doubles("old_log_prob");
    double[] after = vector.doubles("log_prob");
    double[] logRatio = new double[before.length];
    Arrays.setAll(logRatio, i -> after[i] - before[i]);
    checkPolicyLoss(vector, logRatio);
    vector.expect("clip_fraction", statistics(vector, logRatio).get("train/clip_fraction"));
  }

  private void checkClamp(VectorCase vector) {
    double[] logRatio = vector.doubles("log_ratio");
    checkPolicyLoss(vector, logRatio);
    Map<String, Double> measured = statistics(vector, logRatio);
    vector.expect("clamped_fraction", measured.get("train/log_ratio_clamped_fraction"));
    vector.expect("extreme_count_gt10", extremeCount(measured, logRatio));
  }

  private static int extremeCount(Map<String, Double> measured, double[] logRatio) {
    boolean any = Arrays.stream(logRatio).anyMatch(value -> Math.abs(value) > EXTREME);
    return any ? measured.get("warn/log_ratio_extreme_count").intValue() : 0;
  }

  /** The gradient with respect to the log-ratio is that with respect to the log-probability. */
  private static void checkPolicyLoss(VectorCase vector, double[] logRatio) {
    try (Scope scope = Scope.open()) {
      double[] advantages = vector.doubles("advantages");
      Tensor leaf = Tensor.of(logRatio, logRatio.length).requireGradient();
      Tensor ratio = PolicyLoss.ratio(leaf, RatioBound.HARD);
      Tensor objective =
          PolicyLoss.clippedSurrogate(
              ratio, Tensor.of(advantages, advantages.length), vector.number("clip_range"));
      Tensor loss = objective.mean().neg();
      loss.backward();
      vector.expect("ratio", ratio.doubles());
      vector.expect("per_sample_objective", objective.doubles());
      vector.expect("loss", loss.item());
      vector.expect("grad_wrt_log_prob", leaf.gradient().doubles());
    }
  }

  private static Map<String, Double> statistics(VectorCase vector, double[] logRatio) {
    UpdateStatistics statistics =
        new UpdateStatistics(
            new Microbatch.Coefficients(
                vector.number("clip_range"), 0, 0, 0, 0, Optional.empty(), Optional.empty()),
            1);
    UpdateAlerts.add(
        statistics,
        List.of(result(logRatio)),
        new GradientStep.Report(true, 1, 1, Map.of(), Map.of()));
    Metrics metrics = new Metrics();
    statistics.report(metrics);
    return metrics.snapshot();
  }

  private static Microbatch.Result result(double... logRatio) {
    float[] rounded = new float[logRatio.length];
    IntStream.range(0, rounded.length).forEach(i -> rounded[i] = (float) logRatio[i]);
    float[] entropies = new float[rounded.length];
    return new Microbatch.Result(
        rounded.length,
        rounded,
        entropies,
        0,
        0,
        0,
        new double[2],
        Optional.empty(),
        Microbatch.RiskReading.NONE,
        0);
  }

  private void checkEstimators(VectorCase vector) {
    double[] before = vector.doubles("old_log_prob");
    double[] after = vector.doubles("log_prob");
    double first = 0;
    double third = 0;
    for (int i = 0; i < before.length; i++) {
      first += RatioStatistics.firstEstimate(after[i] - before[i]) / before.length;
      third += RatioStatistics.thirdEstimate(after[i] - before[i]) / before.length;
    }
    vector.expect("k1", first);
    vector.expect("k3", third);
  }

  private void checkCloning(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      double[] values = vector.doubles("advantages");
      Tensor advantages = Tensor.of(values, values.length);
      Tensor weights =
          PolicyLoss.cloningWeights(advantages, vector.number("beta"), vector.number("max_weight"));
      Tensor logProbability = Tensor.of(vector.doubles("log_prob"), values.length);
      vector.expect("weights", weights.doubles());
      vector.expect("loss", PolicyLoss.cloning(logProbability, weights).mean().item());
    }
  }

  /** The two terms about risk are not built yet, so the check adds them itself. */
  private void checkTotal(VectorCase vector) {
    try (Scope scope = Scope.open()) {
      Microbatch.Terms terms =
          new Microbatch.Terms(
              scalar(vector, "ppo"),
              scalar(vector, "awr"),
              scalar(vector, "kl_mean"),
              scalar(vector, "entropy"),
              scalar(vector, "critic"),
              List.of());
      double cloning = vector.number("bc_coef");
      double penalty = vector.number("kl_beta");
      Microbatch.Coefficients policyOnly =
          new Microbatch.Coefficients(
              UNUSED, cloning, penalty, 0, 0, Optional.empty(), Optional.empty());
      Microbatch.Coefficients all =
          new Microbatch.Coefficients(
              UNUSED,
              cloning,
              penalty,
              vector.number("ent_coef"),
              vector.number("vf_coef"),
              Optional.empty(),
              Optional.empty());
      double violation = vector.number("lambda_") * vector.number("violation_unit");
      Microbatch.Terms withRisk =
          new Microbatch.Terms(
              terms.surrogate(),
              terms.cloning(),
              terms.divergence(),
              terms.entropy(),
              terms.critic(),
              List.of(scalar(vector, "cvar_term"), Tensor.of(new double[] {violation}, 1)));
      vector.expect("policy", Microbatch.total(terms, policyOnly).item());
      vector.expect("total", Microbatch.total(withRisk, all).item());
    }
  }

  private static Tensor scalar(VectorCase vector, String input) {
    return Tensor.of(new double[] {vector.number(input)}, 1);
  }
}
