package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CriticConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.kernel.Workspace;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.loss.PpoLoss;
import io.quantail.metrics.Metrics;
import io.quantail.network.NetworkPass;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.rollout.AdvantageNormalizer;
import io.quantail.rollout.Experience;
import io.quantail.rollout.ReturnTargets;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.rollout.TrainingTargets;
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
    RunConfig config = SmallRuns.of(RunConfig.defaults());
    try (Experience experience = new Experience(config, CART_POLE)) {
      SequenceBatch batch = all(experience.collect());
      NetworkPass pass =
          experience
              .agent()
              .network()
              .evaluate(new Workspace(), experience.agent().inference(), batch.sequences());
      float[] kept = batch.criticOutputs();
      assertThat(batch.criticOutputSize()).isEqualTo(2 * 6);
      assertThat(kept).hasSize(12 * batch.size());
      double apart = 0;
      for (int row = 0; row < batch.size(); row++) {
        float[] before = Arrays.copyOfRange(kept, 12 * row, 12 * row + 12);
        assertThat(before).containsExactly(pass.values()[row], within(1e-5f));
        apart += Math.abs(before[0] - before[6]) / batch.size();
      }
      assertThat(apart).as("each critic has numbers of its own").isGreaterThan(1e-4);
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
      Rollout rollout = experience.collect();
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

  /**
   * Two rows of four particles, two critics of two quantiles (levels 1/4 and 3/4) and a mean head,
   * kappa 0, the mean limited to 0.5. The heads have no weights, so outputs are their biases. Both
   * critics gave (-1, 1) with mean head 0.
   *
   * <p>Critic 1 now gives q = (0, 2), m = 0.5: its centre moved by 1, q_clip = (-0.5, 1.5). Critic
   * 2 gives q = (-1.75, 0.25), m = -0.25: moved by -0.75, q_clip = (-1.5, 0.5). With sums over the
   * particles of each quantile in turn, all over 2 quantiles x 4 particles:
   *
   * <pre>
   *   row 1: x = 1, 2, 3, 6, R = 3         row 2: x = -3, -2, -1, 1.5, R = -1
   *   critic 1  L(q)      = (3 + 4) / 8          = 0.875    (4.875 + 3.125) / 8  = 1
   *             L(q_clip) = (3.5 + 5) / 8        = 1.0625   (3.875 + 2.625) / 8  = 0.8125
   *             (m - R)^2 / 2                    = 3.125                           1.125
   *   critic 2  L(q)      = (4.75 + 8.25) / 8    = 1.625    (2.125 + 2.625) / 8  = 0.59375
   *             L(q_clip) = (4.5 + 7.5) / 8      = 1.5      (2.375 + 2.625) / 8  = 0.625
   *             (m - R)^2 / 2                    = 5.28125                         0.28125
   * </pre>
   *
   * The larger of the two, plus the mean head's part: critic 1 has 4.1875 and 2.125, critic 2 has
   * 6.90625 and 0.90625. The slope by a quantile is its share of particles below less its level,
   * over 2; where the limited prediction counts, the mean of both slopes is subtracted:
   *
   * <pre>
   *   critic 1  row 1 (q_clip) (-1/8, -1/4) + 3/16 = (1/16, -1/16)    row 2 (q) (1/4, 1/8)
   *   critic 2  row 1 (q) (-1/8, -3/8)     row 2 (q_clip) (1/8, 0) - 1/16 = (1/16, -1/16)
   * </pre>
   */
  @Test
  @Requirement({"VFC-1", "TWIN-2"})
  void shouldTakeTheLargerLossOfEachRowAndCriticWithTheMeanHeadOutside() {
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            "environment.count=1",
            "critic.quantiles=2",
            "critic.particles=4",
            "rollout.steps=2",
            "rollout.lanes=1",
            "ppo.batchSize=2",
            "ppo.sequenceLength=1",
            "ppo.microbatches=1");
    float[] particles = {1, 2, 3, 6, -3, -2, -1, 1.5f};
    TrainingTargets targets =
        new TrainingTargets(
            AdvantageNormalizer.normalize(new double[2], 1, false),
            new double[2],
            new double[] {3, -1},
            new ReturnTargets(4, new double[8], 0, 0),
            particles);
    Optional<ValueClip> clip = Optional.of(new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 0.5, 1));
    try (Experience experience = new Experience(config, CART_POLE)) {
      Parameters parameters = experience.model().parameters();
      for (int critic = 1; critic <= 2; critic++) {
        set(parameters, "critic.head" + critic + ".weight");
        set(parameters, "critic.mean" + critic + ".weight");
        set(parameters, "critic.head" + critic + ".bias", -1, 1);
      }
      Rollout rollout = experience.collect();
      set(parameters, "critic.head1.bias", 0, 2);
      set(parameters, "critic.mean1.bias", 0.5f);
      set(parameters, "critic.head2.bias", -1.75f, 0.25f);
      set(parameters, "critic.mean2.bias", -0.25f);
      ParameterReplica replica = parameters.replica();
      LossResult result =
          new PpoLoss(experience.agent(), config.ppo())
              .backward(
                  replica,
                  all(rollout),
                  targets,
                  new LossCoefficients(0.2, 0, 0, 0, 1, clip, Optional.empty()),
                  1);

      assertThat(result.criticLosses()).containsExactly(3.15625, 3.90625);
      assertThat(result.total()).isEqualTo(3.53125);
      assertThat(result.meanHeadLoss()).isEqualTo(2.453125);
      assertThat(result.valueClip())
          .contains(new ClippedLoss.Reading(4.09375 / 4, 4.0 / 4, 1, 0.5));
      assertThat(gradient(parameters, replica, "critic.head1.bias"))
          .containsExactly(0.3125f / 4, 0.0625f / 4);
      assertThat(gradient(parameters, replica, "critic.mean1.bias")).containsExactly(-1 / 4f);
      assertThat(gradient(parameters, replica, "critic.head2.bias"))
          .containsExactly(-0.0625f / 4, -0.4375f / 4);
      assertThat(gradient(parameters, replica, "critic.mean2.bias")).containsExactly(-2.5f / 4);
    }
  }

  private static float[] gradient(Parameters parameters, ParameterReplica replica, String name) {
    return parameters.range(name).of(replica.gradient());
  }

  /** Sets a parameter to some numbers, or to zeros. */
  private static void set(Parameters parameters, String name, float... numbers) {
    Parameters.Range range = parameters.range(name);
    parameters.change(
        values ->
            System.arraycopy(
                numbers.length == 0 ? new float[(int) range.count()] : numbers,
                0,
                values,
                (int) range.offset(),
                (int) range.count()));
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
    assertThat(control.plan(0, 0, Optional.empty()).coefficients().valueClip()).isEmpty();
    control.observe(OptionalDouble.of(0.1));
    assertThat(control.plan(0, 0, Optional.empty()).coefficients().valueClip()).isEmpty();
    control.observe(OptionalDouble.of(0.2));
    control.observe(OptionalDouble.empty());
    assertThat(control.plan(0, 0, Optional.empty()).coefficients().valueClip())
        .map(ValueClip::range)
        .contains(0.3);

    StateMap state = new StateMap();
    control.save(state);
    UpdateController restored = new UpdateController(config.ppo(), config.critic());
    restored.load(state);
    assertThat(restored.plan(0, 0, Optional.empty()).coefficients().valueClip()).isPresent();
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
    assertThat(control.plan(0, 0, Optional.empty()).coefficients().valueClip()).isEmpty();
    assertThat(report(control, null)).containsEntry("train/vf_clip_updates_remaining", 1.0);
    control.finish(0, 1, false);
    assertThat(control.plan(0, 0, Optional.empty()).coefficients().valueClip()).isPresent();
    assertThat(report(control, null)).containsEntry("train/vf_clip_warmup_active", 0.0);
  }

  private static Map<String, Double> report(UpdateController control, Double threshold) {
    Metrics metrics = new Metrics();
    UpdateTelemetry.valueClip(
        metrics, control.plan(0, 0, Optional.empty()).clipGate().orElseThrow(), threshold);
    return metrics.snapshot();
  }

  private static ClippedLoss.Reading reading(
      RunConfig config, Experience experience, Rollout rollout, ParameterReplica replica) {
    Optional<ValueClip> clip =
        new UpdateController(config.ppo(), config.critic())
            .plan(0, 0, Optional.empty())
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
