package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.kernel.Workspace;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.PpoLoss;
import io.quantail.metrics.Metrics;
import io.quantail.network.NetworkPass;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ClippedLoss;
import io.quantail.value.ReturnScale;
import io.quantail.value.ValueClip;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clipping of the critics from the rollout to the loss. */
class ValueClippingTest {
  private static final ReturnScale SCALE = new ReturnScale(3, 2);
  private static final EnvironmentFactory CART_POLE =
      index -> new TimeLimitWrapper(new CartPole(), 6);

  @Test
  @Requirement("TWIN-2")
  void shouldKeepWhatEachCriticSaidDuringTheRollout() {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), "critic.clip.mode=mean-only");
    try (Experience experience = new Experience(config, CART_POLE)) {
      SequenceBatch batch = all(experience.collect(SCALE));
      NetworkPass pass =
          experience
              .agent()
              .network()
              .evaluate(new Workspace(), experience.agent().inference(), batch.sequences());
      float[] kept = batch.criticOutputs();
      assertThat(batch.criticOutputSize()).isEqualTo(2 * 5);
      assertThat(kept).hasSize(10 * batch.size());
      double apart = 0;
      for (int row = 0; row < batch.size(); row++) {
        float[] before = Arrays.copyOfRange(kept, 10 * row, 10 * row + 10);
        assertThat(before).containsExactly(pass.values()[row], within(1e-5f));
        apart += Math.abs(before[0] - before[5]) / batch.size();
      }
      assertThat(apart).as("each critic has numbers of its own").isGreaterThan(1e-3);
    }
  }

  /** The heads move by a constant, so every mean does. */
  @ParameterizedTest
  @CsvSource({"mean-only", "mean-and-variance", "per-quantile"})
  @Requirement("VFC-2")
  void shouldActOnceTheCriticsHaveMoved(String mode) {
    RunConfig config =
        SmallRuns.of(RunConfig.defaults(), "critic.clip.mode=" + mode, "critic.clip.range=0.5");
    try (Experience experience = new Experience(config, CART_POLE)) {
      ParameterReplica replica = experience.model().parameters().replica();
      Rollout rollout = experience.collect(SCALE);
      ClippedLoss.Reading before = reading(config, experience, rollout, replica);
      assertThat(before.active()).isZero();
      assertThat(before.clippedLoss()).isCloseTo(before.freeLoss(), within(1e-6));

      move(experience, "critic.head1.bias", 2);
      ClippedLoss.Reading first = reading(config, experience, rollout, replica);
      assertThat(first.active()).isEqualTo(0.5);
      move(experience, "critic.head2.bias", 2);
      ClippedLoss.Reading both = reading(config, experience, rollout, replica);
      assertThat(both.active()).isEqualTo(1);
      assertThat(both.clippedLoss()).isNotCloseTo(both.freeLoss(), within(1e-3));
    }
  }

  @Test
  @Requirement("VFC-2")
  void shouldOpenTheGateWithTheExplainedVarianceAndRememberIt() {
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            "critic.clip.mode=mean-only",
            "critic.clip.range=0.3",
            "critic.clip.thresholdExplainedVariance=0.2");
    UpdateController control = new UpdateController(config.ppo(), config.critic());
    assertThat(control.plan(0, Optional.empty()).coefficients().valueClip()).isEmpty();
    control.observe(OptionalDouble.of(0.1));
    assertThat(control.plan(0, Optional.empty()).coefficients().valueClip()).isEmpty();
    control.observe(OptionalDouble.of(0.2));
    control.observe(OptionalDouble.empty());
    assertThat(control.plan(0, Optional.empty()).coefficients().valueClip())
        .map(ValueClip::range)
        .contains(0.3);

    StateMap state = new StateMap();
    control.save(state);
    UpdateController restored = new UpdateController(config.ppo(), config.critic());
    restored.load(state);
    assertThat(restored.plan(0, Optional.empty()).coefficients().valueClip()).isPresent();
    assertThat(report(restored, 0.2))
        .containsEntry("train/vf_clip_active", 1.0)
        .containsEntry("train/vf_clip_last_ev", 0.2)
        .containsEntry("train/vf_clip_ev_gate_active", 0.0);
  }

  @Test
  void shouldStayFreeUntilTheWarmupEnds() {
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(), "critic.clip.mode=mean-only", "critic.clip.warmupUpdates=1");
    UpdateController control = new UpdateController(config.ppo(), config.critic());
    assertThat(control.plan(0, Optional.empty()).coefficients().valueClip()).isEmpty();
    assertThat(report(control, null)).containsEntry("train/vf_clip_updates_remaining", 1.0);
    control.finish(0, 1, false);
    assertThat(control.plan(0, Optional.empty()).coefficients().valueClip()).isPresent();
    assertThat(report(control, null)).containsEntry("train/vf_clip_warmup_active", 0.0);
  }

  private static Map<String, Double> report(UpdateController control, Double threshold) {
    Metrics metrics = new Metrics();
    UpdateTelemetry.valueClip(
        metrics, control.plan(0, Optional.empty()).clipGate().orElseThrow(), threshold);
    return metrics.snapshot();
  }

  private static ClippedLoss.Reading reading(
      RunConfig config, Experience experience, Rollout rollout, ParameterReplica replica) {
    Optional<ValueClip> clip =
        new UpdateController(config.ppo(), config.critic())
            .plan(0, Optional.empty())
            .coefficients()
            .valueClip();
    return new PpoLoss(experience.agent(), config.ppo())
        .backward(
            replica,
            all(rollout),
            Experience.estimates(rollout, config, SCALE),
            new LossCoefficients(0.2, 0, 0, 0, 1, clip, Optional.empty()),
            1)
        .valueClip()
        .orElseThrow();
  }

  private static void move(Experience experience, String parameter, double distance) {
    Parameters parameters = experience.model().parameters();
    Parameters.Range range = parameters.range(parameter);
    parameters.change(
        values -> {
          for (int i = (int) range.offset(); i < range.offset() + range.count(); i++) {
            values[i] += (float) distance;
          }
        });
  }

  private static SequenceBatch all(Rollout rollout) {
    return new SequenceBatch(rollout, IntStream.range(0, rollout.shape().windows()).toArray());
  }
}
