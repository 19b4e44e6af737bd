package io.quantail.ppo;

import io.quantail.config.PpoConfig;
import io.quantail.config.RiskConfig;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.loss.LossSums;
import io.quantail.loss.PolicyLoss;
import io.quantail.metrics.Metrics;
import io.quantail.optim.OptimizerStep;
import io.quantail.risk.CvarLossTerm;
import io.quantail.telemetry.RatioStatistics;
import io.quantail.telemetry.UpdateStatistics;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
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

  /** The gradient by the log-ratio is that by the log-probability. */
  private static void checkPolicyLoss(VectorCase vector, double[] logRatio) {
    double[] advantages = vector.doubles("advantages");
    int samples = logRatio.length;
    double[] ratios = new double[samples];
    double[] objectives = new double[samples];
    double[] gradient = new double[samples];
    LossSums sums = new LossSums(samples, 1);
    for (int i = 0; i < samples; i++) {
      PolicyLoss.Term term =
          PolicyLoss.clippedSurrogate(
              logRatio[i], advantages[i], vector.number("clip_range"), PpoConfig.RatioBound.HARD);
      ratios[i] = PolicyLoss.Ratio.of(logRatio[i], PpoConfig.RatioBound.HARD).value();
      objectives[i] = -term.value();
      gradient[i] = term.slope() / samples;
      sums.surrogate += term.value();
    }
    vector.expect("ratio", ratios);
    vector.expect("per_sample_objective", objectives);
    vector.expect("loss", sums.result(coefficients(0, 0, 0, 0)).surrogateLoss());
    vector.expect("grad_wrt_log_prob", gradient);
  }

  private static LossCoefficients coefficients(
      double cloning, double klPenalty, double entropy, double critic) {
    return new LossCoefficients(
        UNUSED, cloning, klPenalty, entropy, critic, Optional.empty(), Optional.empty());
  }

  private static Map<String, Double> statistics(VectorCase vector, double[] logRatio) {
    UpdateStatistics statistics =
        new UpdateStatistics(
            new LossCoefficients(
                vector.number("clip_range"), 0, 0, 0, 0, Optional.empty(), Optional.empty()),
            1);
    UpdateAlerts.add(
        statistics,
        List.of(result(logRatio)),
        new OptimizerStep.Report(true, 1, 1, Map.of(), Map.of()));
    Metrics metrics = new Metrics();
    statistics.report(metrics);
    return metrics.snapshot();
  }

  private static LossResult result(double... logRatio) {
    float[] rounded = new float[logRatio.length];
    IntStream.range(0, rounded.length).forEach(i -> rounded[i] = (float) logRatio[i]);
    float[] entropies = new float[rounded.length];
    return new LossResult(
        rounded.length,
        rounded,
        entropies,
        0,
        0,
        0,
        new double[2],
        0,
        Optional.empty(),
        CvarLossTerm.Reading.NONE,
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
    double[] advantages = vector.doubles("advantages");
    double[] logProbabilities = vector.doubles("log_prob");
    double beta = vector.number("beta");
    double logLargest = Math.log(vector.number("max_weight"));
    double[] weights = new double[advantages.length];
    LossSums sums = new LossSums(advantages.length, 1);
    for (int i = 0; i < weights.length; i++) {
      weights[i] = PolicyLoss.cloningWeight(advantages[i], beta, logLargest);
      sums.cloning += PolicyLoss.weighted(logProbabilities[i], weights[i]).value();
    }
    vector.expect("weights", weights);
    vector.expect("loss", sums.result(coefficients(0, 0, 0, 0)).cloningLoss());
  }

  /** The vector gives means, so a batch of one sample has them as its sums. */
  private void checkTotal(VectorCase vector) {
    double cloning = vector.number("bc_coef");
    double penalty = vector.number("kl_beta");
    LossSums sums = new LossSums(1, 1);
    sums.surrogate = vector.number("ppo");
    sums.cloning = vector.number("awr");
    sums.divergence = vector.number("kl_mean");
    sums.entropy = vector.number("entropy");
    sums.critics[0] = vector.number("critic");
    vector.expect("policy", sums.total(coefficients(cloning, penalty, 0, 0)));
    sums.risk = risk(vector);
    vector.expect(
        "total",
        sums.total(
            coefficients(cloning, penalty, vector.number("ent_coef"), vector.number("vf_coef"))));
  }

  /** With a weight of 1 the penalty is minus the CVaR, and the violation is limit minus CVaR. */
  private static CvarLossTerm.Reading risk(VectorCase vector) {
    double cvar = -vector.number("cvar_term");
    double limit = cvar + vector.number("violation_unit");
    CvarLossTerm term =
        new CvarLossTerm(
            0.05,
            RiskConfig.CvarMethod.POINT_MASS,
            1,
            vector.number("lambda_"),
            limit,
            Double.POSITIVE_INFINITY);
    return term.at(cvar);
  }
}
