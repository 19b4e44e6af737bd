package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.SmallRuns;
import io.quantail.config.RunConfig;
import io.quantail.config.ValueClipMode;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ValueClip;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimit;
import io.quantail.env.classic.CartPole;
import io.quantail.env.classic.Pendulum;
import io.quantail.kernel.Vectors;
import io.quantail.kernel.Workspace;
import io.quantail.nn.Parameters;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.tensor.Scope;
import io.quantail.testing.Requirement;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One loop in Java against the same loss in tensors: every reading and the whole gradient. */
@Requirement("BATCH-1")
class FusedLossTest {
  private static final ReturnScale SCALE = new ReturnScale(3, 2);
  private static final Microbatch.Coefficients ALL =
      new Microbatch.Coefficients(0.05, 0.3, 0.1, 0.02, 0.5, Optional.empty(), Optional.empty());
  private static final double WEIGHT = 0.6;

  @ParameterizedTest
  @CsvSource({
    "cartPole, hard, quantile, true, false",
    "cartPole, smooth, categorical, true, true",
    "cartPole, hard, categorical, false, false",
    "pendulum, hard, quantile, true, true",
    "pendulum, smooth, quantile, false, false",
    "pendulum, smooth, categorical, true, false"
  })
  void shouldAgreeWithTheTensors(
      String task, String bound, String critic, boolean twin, boolean shared) {
    RunConfig config =
        SmallRuns.config(
            "ppo.ratioBound=" + bound,
            "critic.type=" + critic,
            "critic.twin=" + twin,
            "network.sharedMemory=" + shared);
    EnvironmentFactory factory =
        index -> new TimeLimit(task.equals("pendulum") ? new Pendulum() : new CartPole(), 6);
    try (Experience experience = new Experience(config, factory);
        Scope scope = Scope.open()) {
      Parameters.Replica fused = experience.agent().parameters().replica();
      Parameters.Replica tensors = experience.agent().parameters().replica();
      Rollout rollout = experience.collect(SCALE);
      Estimates estimates = Experience.estimates(rollout, config, SCALE);
      movePolicy(experience.agent().parameters());
      SequenceBatch batch = new SequenceBatch(rollout, new int[] {4, 1, 7, 2});
      Microbatch.Result actual =
          new FusedLoss(experience.agent().critic(), twin ? 2 : 1, config.ppo())
              .backward(
                  new Workspace(),
                  experience.agent().network().evaluate(fused, batch.sequences()),
                  batch,
                  estimates,
                  ALL,
                  WEIGHT);
      Microbatch.Result expected =
          new TensorLoss(experience.agent(), config.ppo())
              .backward(
                  experience.agent().network().evaluate(tensors, batch.sequences()),
                  batch,
                  estimates,
                  ALL,
                  WEIGHT);
      assertSame(actual, expected);
      double norm = Vectors.norm(tensors.gradient());
      assertThat(norm).isGreaterThan(1e-3);
      assertThat(fused.gradient())
          .containsExactly(tensors.gradient(), within((float) (1e-5 * norm)));
    }
  }

  /** Ratios must leave the clip range on both sides, or its gradient would not be looked at. */
  private static void movePolicy(Parameters parameters) {
    parameters.change(values -> Vectors.scale(values, 2.5));
  }

  private static void assertSame(Microbatch.Result actual, Microbatch.Result expected) {
    assertThat(actual.samples()).isEqualTo(expected.samples());
    assertThat(actual.logRatios()).containsExactly(expected.logRatios(), within(1e-5f));
    assertThat(actual.entropies()).containsExactly(expected.entropies(), within(1e-5f));
    assertThat(actual.criticLosses()).containsExactly(expected.criticLosses(), within(1e-5));
    assertThat(actual.surrogateLoss()).isCloseTo(expected.surrogateLoss(), within(1e-5));
    assertThat(actual.cloningLoss()).isCloseTo(expected.cloningLoss(), within(1e-4));
    assertThat(actual.divergence()).isCloseTo(expected.divergence(), within(1e-5));
    assertThat(actual.total()).isCloseTo(expected.total(), within(1e-4));
    double widest = 0;
    for (float logRatio : actual.logRatios()) {
      widest = Math.max(widest, Math.abs(logRatio));
    }
    assertThat(widest).as("some ratio leaves the clip range").isGreaterThan(0.051);
  }

  @Test
  void shouldLeaveClippedCriticsToTheTensors() {
    ValueClip clip = new ValueClip(ValueClipMode.MEAN_ONLY, 0.1, 1);
    assertThat(FusedLoss.covers(ALL)).isTrue();
    assertThat(
            FusedLoss.covers(
                new Microbatch.Coefficients(0.2, 0, 0, 0, 1, Optional.of(clip), Optional.empty())))
        .isFalse();
  }
}
