package io.quantail.ppo;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.metrics.Metrics;
import io.quantail.model.AgentModel;
import io.quantail.optim.OptimizerStep;
import io.quantail.parallel.ParallelLoop;
import io.quantail.risk.CvarLossTerm;
import io.quantail.telemetry.RatioStatistics;
import io.quantail.telemetry.UpdateStatistics;
import io.quantail.testing.SmallRuns;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hand-made updates that went wrong, one for each kind of alert. */
public final class UpdateAlerts {
  private static final float NAN = Float.NaN;
  private static final float INFINITE = Float.POSITIVE_INFINITY;
  private static final LossCoefficients COEFFICIENTS =
      new LossCoefficients(0.2, 0.5, 2, 0.01, 0.5, Optional.empty(), Optional.empty());
  private static final OptimizerStep.Report REFUSED = OptimizerStep.Report.refused(Double.NaN);

  private UpdateAlerts() {}

  /** Everything the faulty updates below emit. */
  public static List<Map<String, Double>> all() {
    return List.of(
        faultyRatios(),
        faultyCritic(),
        faultyPolicy(),
        faultyRisk(),
        wildRatios(),
        refusedGradient(),
        refusedUpdate(),
        twins(),
        floorHit());
  }

  public static Map<String, Double> faultyRatios() {
    return report(
        List.of(result(1, 0.1f, NAN, NAN, INFINITE), result(1, NAN, NAN), result(1, 0.1f, 0.1f)),
        taken(1, 1));
  }

  public static Map<String, Double> faultyCritic() {
    LossResult first = faulty(0.25, Double.NaN, Double.NEGATIVE_INFINITY);
    return report(List.of(first, faulty(0.25, 1, Double.NaN)), REFUSED);
  }

  public static Map<String, Double> faultyPolicy() {
    return report(List.of(faulty(Double.NaN, 2, Double.NaN), result(1, 0)), taken(1, 1));
  }

  static Map<String, Double> faultyRisk() {
    CvarLossTerm term =
        new CvarLossTerm(0.05, RiskConfig.CvarMethod.POINT_MASS, 1, 0, 0, Double.POSITIVE_INFINITY);
    UpdateStatistics statistics =
        new UpdateStatistics(
            new LossCoefficients(0.2, 0, 0, 0, 0, Optional.empty(), Optional.of(term)), 2);
    add(statistics, List.of(faulty(0.25, 1, Double.NaN)), REFUSED);
    Metrics metrics = new Metrics();
    statistics.report(metrics);
    return metrics.snapshot();
  }

  private static LossResult faulty(double surrogate, double critic, double total) {
    return new LossResult(
        1,
        new float[1],
        new float[1],
        surrogate,
        3,
        0.5,
        new double[] {critic, 4},
        0,
        Optional.empty(),
        CvarLossTerm.Reading.NONE,
        total);
  }

  public static Map<String, Double> wildRatios() {
    return report(List.of(result(1, 0.5f, -12, 25)), taken(1, 1));
  }

  public static Map<String, Double> refusedGradient() {
    return report(List.of(result(1, 0)), REFUSED);
  }

  static Map<String, Double> refusedUpdate() {
    Metrics metrics = new Metrics();
    RunConfig config = RunConfig.defaults();
    UpdateTelemetry.outcome(metrics, new UpdateController(config.ppo(), config.critic()).refuse());
    return metrics.snapshot();
  }

  static Map<String, Double> twins() {
    UpdateStatistics both = new UpdateStatistics(COEFFICIENTS, 2);
    add(both, List.of(result(1, 0)), taken(0, 0));
    Metrics metrics = new Metrics();
    both.report(metrics);
    UpdateStatistics imbalanced = new UpdateStatistics(COEFFICIENTS, 2);
    add(imbalanced, List.of(result(1, 0)), taken(300, 1));
    imbalanced.report(metrics);
    return metrics.snapshot();
  }

  /** A one-cycle schedule ends far below its peak, here below the lower bound. */
  public static Map<String, Double> floorHit() {
    OptimizerConfig optimizer =
        SmallRuns.of(
                RunConfig.defaults(),
                "optimizer.learningRate=1e-3",
                "optimizer.schedule=one-cycle",
                "optimizer.minLearningRate=1e-4")
            .optimizer();
    Metrics metrics = new Metrics();
    AgentModel model =
        new AgentModel(RunConfig.defaults(), ObservationSpace.of(2), new ActionSpace.Discrete(2));
    OptimizerStep step =
        new OptimizerStep(optimizer, model.parameters(), model.network(), 1, ParallelLoop.ALONE);
    UpdateTelemetry.limits(metrics, step.limits(1));
    return metrics.snapshot();
  }

  public static Map<String, Double> report(List<LossResult> results, OptimizerStep.Report step) {
    UpdateStatistics statistics = new UpdateStatistics(COEFFICIENTS, 2);
    add(statistics, results, step);
    Metrics metrics = new Metrics();
    statistics.report(metrics);
    return metrics.snapshot();
  }

  /** Takes in a batch and its step; the batch's mean k3. */
  public static double add(
      UpdateStatistics statistics, List<LossResult> results, OptimizerStep.Report step) {
    statistics.add(results);
    statistics.add(step);
    return RatioStatistics.divergence(results);
  }

  public static LossResult result(double total, float... logRatios) {
    return new LossResult(
        logRatios.length,
        logRatios,
        new float[logRatios.length],
        0.25,
        3,
        0.5,
        new double[] {4, 2},
        1,
        Optional.empty(),
        CvarLossTerm.Reading.NONE,
        total);
  }

  public static OptimizerStep.Report taken(double first, double second) {
    return new OptimizerStep.Report(
        true,
        8,
        0.5,
        Map.of("train/critic1_grad_norm", first, "train/critic2_grad_norm", second),
        Map.of());
  }
}
