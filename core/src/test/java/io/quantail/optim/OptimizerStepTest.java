package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.kernel.FloatVectors;
import io.quantail.metrics.Metrics;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.parallel.ParallelLoop;
import io.quantail.ppo.PpoUpdate;
import io.quantail.ppo.UpdateTelemetry;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.TrainingTargets;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptimizerStepTest {
  private static final double RATE = 0.1;

  private Experience experience;
  private Parameters parameters;
  private List<ParameterReplica> replicas;

  @BeforeEach
  void open() {
    experience =
        new Experience(
            SmallRuns.of(RunConfig.defaults()), index -> new TimeLimitWrapper(new CartPole(), 6));
    parameters = experience.model().parameters();
    replicas = List.of(parameters.replica(), parameters.replica());
  }

  @AfterEach
  void close() {
    experience.close();
  }

  @Requirement("GRAD-1")
  @Test
  void shouldMeasureBeforeClippingAndStepWithTheClippedGradient() {
    float[] before = parameters.values().clone();
    fill(0, 0.2f);
    fill(1, 0.1f);
    OptimizerStep step = step("optimizer.name=sgd", "optimizer.maxGradientNorm=0.5");
    OptimizerStep.Report report = apply(step, true);
    double norm = 0.3 * Math.sqrt(before.length);
    assertThat(report.taken()).isTrue();
    assertThat(report.normBefore()).isCloseTo(norm, within(1e-4));
    assertThat(report.normAfter()).isLessThanOrEqualTo(0.5);
    long inLayer = parameters.range("actor.lstm.0.").count();
    assertThat(report.groupNorms().get("train/lstm_grad_norm/actor.lstm.0"))
        .isCloseTo(0.3 * Math.sqrt(inLayer), within(1e-4));
    long inHead = parameters.range("critic.head2.").count();
    assertThat(report.groupNorms().get("train/critic2_grad_norm"))
        .isCloseTo(0.3 * Math.sqrt(inHead), within(1e-4));

    double moved = RATE * 0.5 / Math.sqrt(before.length);
    assertThat(change(before)).allSatisfy(x -> assertThat(x).isCloseTo(-moved, within(1e-6)));
  }

  @Requirement("POL-2")
  @Test
  void shouldGiveTheWeightOfASkippedPieceToTheOthers() {
    float[] before = parameters.values().clone();
    fill(0, 0.25f * 0.01f); // a mean gradient of 0.01, weighted with 8 of 32 samples
    fill(1, 0);
    OptimizerStep step = step("optimizer.name=sgd", "optimizer.maxGradientNorm=0");
    double[] samples = {8, 24};
    boolean[] usable = {true, false};
    assertThat(step.apply(replicas, samples, usable, RATE, true).taken()).isTrue();

    assertThat(change(before)).allSatisfy(x -> assertThat(x).isCloseTo(-RATE * 0.01, within(1e-6)));
  }

  @Requirement("POL-2")
  @Test
  void shouldRefuseAStepWithoutAnyUsablePiece() {
    float[] before = parameters.values().clone();
    fill(0, 0.1f);
    fill(1, 0.1f);
    OptimizerStep step = step("optimizer.name=adam");
    assertThat(step.apply(replicas, new double[] {8, 8}, new boolean[2], RATE, true).taken())
        .isFalse();

    assertThat(parameters.values()).isEqualTo(before);
  }

  @Requirement("GRAD-2")
  @Test
  void shouldTouchNothingWhenTheGradientIsNotFinite() {
    for (float poison : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      OptimizerStep step = step("optimizer.name=adam");
      fill(0, 0.1f);
      fill(1, 0.1f);
      apply(step, true);
      float[] before = parameters.values().clone();
      Map<String, float[]> optimizer = state(step);
      fill(0, 0.1f);
      float[] broken = replicas.get(1).gradient();
      broken[broken.length / 2] = poison;
      assertThat(apply(step, true).taken()).isFalse();
      assertThat(parameters.values()).isEqualTo(before);
      assertThat(state(step)).usingRecursiveComparison().isEqualTo(optimizer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"adam", "sgd", "upgd", "adaptive-upgd", "upgdw"})
  void shouldTakeTheSameStepWhetherItIsMeasuredOrNot(String optimizer) {
    float[] start = parameters.values().clone();
    float[][] ends = new float[2][];
    for (int run = 0; run < 2; run++) {
      parameters.set(start);
      boolean measured = run == 0;
      OptimizerStep step = step("optimizer.name=" + optimizer);
      for (int i = 1; i <= 3; i++) {
        fill(0, 0.1f * i);
        fill(1, -0.3f);
        OptimizerStep.Report report = apply(step, measured);
        assertThat(report.measures().containsKey("optim/update_norm")).isEqualTo(measured);
      }
      ends[run] = parameters.values().clone();
    }
    assertThat(ends[1]).isEqualTo(ends[0]).isNotEqualTo(start);
  }

  private Map<String, float[]> state(OptimizerStep step) {
    StateMap state = new StateMap();
    step.save(state);
    long count = parameters.values().length;
    return Map.of(
        "steps", new float[] {state.longValue("steps")},
        "first", state.floats("firstMoment", count),
        "second", state.floats("secondMoment", count));
  }

  /** One poisoned transition in a real update: counted, told, and survived. */
  @Requirement("POL-2")
  @Test
  void shouldSurviveAndReportAPoisonedTransition() {
    RunConfig config =
        SmallRuns.of(RunConfig.defaults(), "ppo.kl.target=0.02", "ppo.kl.earlyStop=false");
    PpoUpdate update = new PpoUpdate(config, experience.model(), experience.workers());
    Rollout rollout = experience.collect();
    TrainingTargets estimates = Experience.estimates(rollout, config, ReturnScale.IDENTITY);
    Experience.poison(rollout, 17, Float.NaN);
    Metrics metrics = new Metrics();
    UpdateTelemetry.report(
        metrics, config, update.run(rollout, estimates, Experience.NO_RISK, 0, 0));
    Map<String, Double> measured = metrics.snapshot();
    assertThat(measured.get("error/log_ratio_nan_count")).isEqualTo(2);
    assertThat(measured.get("error/log_ratio_inf_count")).isZero();
    assertThat(measured.get("error/log_ratio_total_samples")).isEqualTo(2 * 16);
    assertThat(measured.get("warn/skipping_batch_due_to_nan_log_ratio")).isEqualTo(2);
    assertThat(measured.get("train/n_minibatches_done")).isEqualTo(4);
    assertThat(measured).doesNotContainKey(Metrics.NONFINITE);
    assertThat(FloatVectors.norm(parameters.values())).isFinite();
  }

  private OptimizerStep step(String... overrides) {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), overrides);
    return new OptimizerStep(
        config.optimizer(), parameters, experience.agent().network(), 1, ParallelLoop.ALONE);
  }

  private void fill(int replica, float value) {
    Arrays.fill(replicas.get(replica).gradient(), value);
  }

  private List<Double> change(float[] before) {
    float[] after = parameters.values();
    return IntStream.range(0, after.length).mapToObj(i -> (double) after[i] - before[i]).toList();
  }

  private OptimizerStep.Report apply(OptimizerStep step, boolean measured) {
    return step.apply(replicas, new double[] {8, 8}, new boolean[] {true, true}, RATE, measured);
  }
}
