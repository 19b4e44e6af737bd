package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.SmallRuns;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.ValueClip;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimit;
import io.quantail.env.classic.CartPole;
import io.quantail.metrics.Metrics;
import io.quantail.nn.Forward;
import io.quantail.nn.Parameters;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.state.StateMap;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.List;
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
  private static final EnvironmentFactory CART_POLE = index -> new TimeLimit(new CartPole(), 6);

  @Test
  @Requirement("TWIN-2")
  void shouldKeepWhatEachCriticSaidDuringTheRollout() {
    RunConfig config = SmallRuns.config("critic.clip.mode=mean-only");
    try (Experience experience = new Experience(config, CART_POLE);
        Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      SequenceBatch batch = all(experience.collect(SCALE));
      Forward forward =
          experience.agent().network().evaluate(experience.agent().inference(), batch.sequences());
      List<Tensor> kept = batch.criticOutputs();
      assertThat(kept).hasSize(2);
      for (int critic = 0; critic < 2; critic++) {
        assertThat(kept.get(critic).doubles())
            .containsExactly(forward.critics().get(critic).doubles(), within(1e-5));
      }
      assertThat(kept.get(0).sub(kept.get(1)).abs().mean().item()).isGreaterThan(1e-3);
    }
  }

  @Test
  void shouldKeepNothingWithoutClipping() {
    try (Experience experience = new Experience(SmallRuns.config(), CART_POLE);
        Scope scope = Scope.open()) {
      SequenceBatch batch = all(experience.collect(SCALE));
      assertThatThrownBy(batch::criticOutputs).hasMessageContaining("keepCriticOutputs");
    }
  }

  /** The heads move by a constant, so every mean does. */
  @ParameterizedTest
  @CsvSource({"mean-only", "mean-and-variance", "per-quantile"})
  @Requirement("VFC-2")
  void shouldActOnceTheCriticsHaveMoved(String mode) {
    RunConfig config = SmallRuns.config("critic.clip.mode=" + mode, "critic.clip.range=0.5");
    try (Experience experience = new Experience(config, CART_POLE)) {
      Parameters.Replica replica = experience.agent().parameters().replica();
      Rollout rollout = experience.collect(SCALE);
      CriticTerm.Reading before = reading(config, experience, rollout, replica);
      assertThat(before.active()).isZero();
      assertThat(before.clippedLoss()).isCloseTo(before.freeLoss(), within(1e-6));

      move(experience, "critic.head1.bias", 2);
      CriticTerm.Reading first = reading(config, experience, rollout, replica);
      assertThat(first.active()).isEqualTo(0.5);
      move(experience, "critic.head2.bias", 2);
      CriticTerm.Reading both = reading(config, experience, rollout, replica);
      assertThat(both.active()).isEqualTo(1);
      assertThat(both.clippedLoss()).isNotCloseTo(both.freeLoss(), within(1e-3));
    }
  }

  @Test
  @Requirement("VFC-2")
  void shouldOpenTheGateWithTheExplainedVarianceAndRememberIt() {
    RunConfig config =
        SmallRuns.config(
            "critic.clip.mode=mean-only",
            "critic.clip.range=0.3",
            "critic.clip.thresholdExplainedVariance=0.2");
    UpdateControl control = new UpdateControl(config.ppo(), config.critic());
    assertThat(control.coefficients(0, Optional.empty()).valueClip()).isEmpty();
    control.observe(OptionalDouble.of(0.1));
    assertThat(control.coefficients(0, Optional.empty()).valueClip()).isEmpty();
    control.observe(OptionalDouble.of(0.2));
    control.observe(OptionalDouble.empty());
    assertThat(control.coefficients(0, Optional.empty()).valueClip())
        .map(ValueClip::range)
        .contains(0.3);

    StateMap state = new StateMap();
    control.save(state);
    UpdateControl restored = new UpdateControl(config.ppo(), config.critic());
    restored.load(state);
    assertThat(restored.coefficients(0, Optional.empty()).valueClip()).isPresent();
    assertThat(report(restored))
        .containsEntry("train/vf_clip_active", 1.0)
        .containsEntry("train/vf_clip_last_ev", 0.2)
        .containsEntry("train/vf_clip_ev_gate_active", 0.0);
  }

  @Test
  void shouldStayFreeUntilTheWarmupEnds() {
    RunConfig config =
        SmallRuns.config("critic.clip.mode=mean-only", "critic.clip.warmupUpdates=1");
    UpdateControl control = new UpdateControl(config.ppo(), config.critic());
    assertThat(control.coefficients(0, Optional.empty()).valueClip()).isEmpty();
    assertThat(report(control)).containsEntry("train/vf_clip_updates_remaining", 1.0);
    control.finish(0, 1, false);
    assertThat(control.coefficients(0, Optional.empty()).valueClip()).isPresent();
    assertThat(report(control)).containsEntry("train/vf_clip_warmup_active", 0.0);
  }

  private static Map<String, Double> report(UpdateControl control) {
    Metrics metrics = new Metrics();
    control.report(metrics, control.coefficients(0, Optional.empty()));
    return metrics.snapshot();
  }

  private static CriticTerm.Reading reading(
      RunConfig config, Experience experience, Rollout rollout, Parameters.Replica replica) {
    Optional<ValueClip> clip =
        new UpdateControl(config.ppo(), config.critic())
            .coefficients(0, Optional.empty())
            .valueClip();
    return new Microbatch(experience.agent(), config.ppo())
        .backward(
            replica,
            all(rollout),
            Experience.estimates(rollout, config, SCALE),
            new Microbatch.Coefficients(0.2, 0, 0, 0, 1, clip, Optional.empty()),
            1)
        .valueClip()
        .orElseThrow();
  }

  private static void move(Experience experience, String parameter, double distance) {
    Parameters parameters = experience.agent().parameters();
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
