package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.metrics.Metrics;
import io.quantail.model.AgentModel;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.optim.OptimizerStep;
import io.quantail.parallel.ParallelLoop;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("TWIN-3")
class CriticGradientBalanceTest {
  private static final String FIRST_VANISHES = "warn/critic1_vanishing_gradients";
  private static final String SECOND_VANISHES = "warn/critic2_vanishing_gradients";
  private static final String IMBALANCE = "warn/twin_critics_gradient_imbalance";

  @Test
  void shouldReportRatioOfHealthyHeadsWithoutAlert() {
    assertThat(report(1.5, 0.5)).containsOnly(entry("train/critics_grad_ratio", 3.0));
  }

  @Test
  void shouldAlertBeyondFactorOfHundredOnly() {
    assertThat(report(100, 1)).doesNotContainKey(IMBALANCE);
    assertThat(report(1, 100)).doesNotContainKey(IMBALANCE);
    assertThat(report(101, 1))
        .containsEntry(IMBALANCE, 1.0)
        .containsEntry("warn/critics_grad_imbalance_ratio", 101.0);
    assertThat(report(1, 101)).containsEntry(IMBALANCE, 1.0);
  }

  @Test
  void shouldJudgeVanishingOfEachCriticOnItsOwn() {
    assertThat(report(1e-9, 1)).containsOnlyKeys(FIRST_VANISHES);
    assertThat(report(1, 1e-9)).containsOnlyKeys(SECOND_VANISHES);
    assertThat(report(0, 0)).containsOnlyKeys(FIRST_VANISHES, SECOND_VANISHES);
  }

  @Test
  void shouldNotDefineRatioAtTheVanishingLimit() {
    assertThat(report(1e-8, 1)).isEmpty();
  }

  @Test
  void shouldFireWhenHeadIsFrozenAndMeasureBeforeClipping() {
    RunConfig config =
        SmallRuns.override(
            RunConfig.defaults(),
            List.of("network.hidden=4", "critic.quantiles=3", "optimizer.maxGradientNorm=0.01"));
    AgentModel model = new AgentModel(config, ObservationSpace.of(2), new ActionSpace.Discrete(2));
    ParameterReplica replica = model.parameters().replica();
    OptimizerStep steps =
        new OptimizerStep(
            config.optimizer(), model.parameters(), model.network(), 1, ParallelLoop.ALONE);
    freezeSecondHead(model.parameters(), replica);
    GradientStatistics statistics = new GradientStatistics();
    statistics.add(
        steps.apply(List.of(replica), new double[] {1}, new boolean[] {true}, 1e-3, true), true);
    Metrics metrics = new Metrics();
    statistics.report(metrics);

    assertThat(metrics.snapshot())
        .containsEntry(SECOND_VANISHES, 0.0)
        .doesNotContainKeys(FIRST_VANISHES, "train/critics_grad_ratio")
        .hasEntrySatisfying("train/critic1_grad_norm", norm -> assertThat(norm).isGreaterThan(1))
        .hasEntrySatisfying(
            "train/grad_norm_post_clip", norm -> assertThat(norm).isLessThan(0.0101));
  }

  private static void freezeSecondHead(Parameters parameters, ParameterReplica replica) {
    float[] gradient = replica.gradient();
    Arrays.fill(gradient, 1);
    Parameters.Range head = parameters.range("critic.head2.");
    Arrays.fill(gradient, (int) head.offset(), (int) (head.offset() + head.count()), 0);
  }

  private static Map<String, Double> report(double first, double second) {
    Metrics metrics = new Metrics();
    new CriticGradientBalance(first, second).report(metrics);
    return metrics.snapshot();
  }
}
