package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.model.AgentModel;
import io.quantail.network.ParameterReplica;
import io.quantail.optim.OptimizerStep;
import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Variance gradient scaling inside the step: where its factor goes and what it sees. */
class GradientScalingTest {
  private static final double RATE = 1e-3;
  private static final int WARMUP = 4;
  private static final String APPLIED = "train/vgs_scaling_factor_applied";

  private final AgentModel model =
      new AgentModel(
          SmallRuns.of(RunConfig.defaults()), ObservationSpace.of(3), new ActionSpace.Discrete(2));
  private final ParameterReplica replica = model.parameters().replica();
  private final float[] start = model.parameters().values().clone();

  @Requirement("VGS-2")
  @ParameterizedTest
  @ValueSource(strings = {"adam", "adamw", "sgd", "upgd", "adaptive-upgd", "upgdw"})
  void shouldShortenTheStepOfEveryOptimizerByItsFactor(String optimizer) {
    List<OptimizerStep.Report> plain = run(optimizer, false, 0, WARMUP + 1);
    List<OptimizerStep.Report> scaled = run(optimizer, true, 0, WARMUP + 1);
    for (int step = 0; step < WARMUP; step++) {
      assertThat(scaled.get(step).measures()).containsEntry(APPLIED, 1.0);
      assertThat(plain.get(step).measures()).doesNotContainKey(APPLIED);
      assertThat(moved(scaled, step)).as("warm-up changes nothing").isEqualTo(moved(plain, step));
    }
    double factor = scaled.get(WARMUP).measures().get(APPLIED);
    assertThat(factor).isBetween(0.1, 0.9);
    // Three per cent: utilities of the SGD form see scaled gradients, which moves gates a little.
    assertThat(moved(scaled, WARMUP)).isCloseTo(factor * moved(plain, WARMUP), withinPercentage(3));
  }

  private static double moved(List<OptimizerStep.Report> reports, int step) {
    return reports.get(step).measures().get("optim/update_norm");
  }

  @Requirement({"GRAD-1", "VGS-2"})
  @ParameterizedTest
  @CsvSource({"sgd, true", "adaptive-upgd, false"})
  void shouldScaleBeforeClippingAndNeverExceedTheLimit(String optimizer, boolean scalesGradient) {
    List<OptimizerStep.Report> plain = run(optimizer, false, 0.5, WARMUP + 1);
    List<OptimizerStep.Report> scaled = run(optimizer, true, 0.5, WARMUP + 1);
    OptimizerStep.Report last = scaled.get(WARMUP);
    double factor = last.measures().get(APPLIED);
    assertThat(factor).isLessThan(0.9);
    assertThat(last.normBefore())
        .isCloseTo((scalesGradient ? factor : 1) * plain.get(WARMUP).normBefore(), within(1e-4));
    assertThat(last.normAfter()).isLessThanOrEqualTo(0.5);
  }

  /** Clipping makes all these gradients equally long; raw ones are not. */
  @Requirement("GRAD-1")
  @Test
  void shouldJudgeTheRawGradient() {
    float[] values = new float[start.length];
    OptimizerStep step = step("sgd", true, 1e-3, "optimizer.vgs.measure=norm");
    double factor = 1;
    for (int i = 0; i <= WARMUP; i++) {
      Arrays.fill(values, i % 2 == 0 ? 1 : 3);
      factor = apply(step, values).measures().get(APPLIED);
    }
    // Norms 1, 3, 1, 3: variance over squared mean is 1/4.
    assertThat(factor).isCloseTo(1 / (1 + 0.1 * 0.25), within(1e-3));
  }

  @Requirement("GRAD-2")
  @ParameterizedTest
  @ValueSource(strings = {"upgd", "adaptive-upgd"})
  void shouldTouchNothingWhenTheGradientIsNotFinite(String optimizer) {
    OptimizerStep step = step(optimizer, true, 0.5);
    apply(step, gradient(0));
    float[] before = model.parameters().values().clone();
    StateMap state = state(step);
    float[] broken = gradient(1);
    broken[3] = Float.NaN;
    assertThat(apply(step, broken).taken()).isFalse();
    assertThat(model.parameters().values()).isEqualTo(before);
    assertThat(state(step).entries()).isEqualTo(state.entries());
  }

  private static StateMap state(OptimizerStep step) {
    StateMap state = new StateMap();
    step.save(state);
    return state;
  }

  private List<OptimizerStep.Report> run(String optimizer, boolean vgs, double limit, int steps) {
    model.parameters().set(start);
    List<OptimizerStep.Report> reports = new ArrayList<>();
    OptimizerStep step = step(optimizer, vgs, limit);
    for (int i = 0; i < steps; i++) {
      reports.add(apply(step, gradient(i)));
    }
    return reports;
  }

  private OptimizerStep step(String optimizer, boolean vgs, double limit, String... more) {
    List<String> overrides = new ArrayList<>(List.of(more));
    overrides.add("optimizer.name=" + optimizer);
    overrides.add("optimizer.maxGradientNorm=" + limit);
    overrides.add("optimizer.vgs.enabled=" + vgs);
    overrides.add("optimizer.vgs.warmupSteps=" + WARMUP);
    RunConfig config = SmallRuns.of(RunConfig.defaults(), overrides.toArray(String[]::new));
    return new OptimizerStep(
        config.optimizer(), model.parameters(), model.network(), 1, ParallelLoop.ALONE);
  }

  private OptimizerStep.Report apply(OptimizerStep step, float[] gradient) {
    System.arraycopy(gradient, 0, replica.gradient(), 0, gradient.length);
    return step.apply(List.of(replica), new double[] {1}, new boolean[] {true}, RATE, true);
  }

  private float[] gradient(int step) {
    RandomStream random = RandomStream.of(5, "noisy", step);
    float[] gradient = new float[start.length];
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] = (float) random.nextGaussian();
    }
    return gradient;
  }
}
