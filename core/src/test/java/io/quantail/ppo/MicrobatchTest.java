package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.env.tasks.Pendulum;
import io.quantail.kernel.FloatVectors;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.loss.PpoLoss;
import io.quantail.network.ParameterReplica;
import io.quantail.optim.MicrobatchWeights;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.rollout.TrainingTargets;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MicrobatchTest {
  private static final ReturnScale SCALE = new ReturnScale(3, 2);
  private static final EnvironmentFactory CART_POLE =
      index -> new TimeLimitWrapper(new CartPole(), 6);
  private static final EnvironmentFactory PENDULUM =
      index -> new TimeLimitWrapper(new Pendulum(), 5);
  private static final LossCoefficients ALL =
      new LossCoefficients(0.2, 0.3, 0.1, 0.02, 0.5, Optional.empty(), Optional.empty());
  private static final LossCoefficients CRITIC_ONLY =
      new LossCoefficients(0.2, 0, 0, 0, 1, Optional.empty(), Optional.empty());

  /** Uneven pieces with weights by their share of samples. */
  @Requirement("BATCH-1")
  @ParameterizedTest
  @ValueSource(strings = {"cartPole", "pendulum"})
  void shouldAccumulateTheGradientOfTheWholeBatch(String task) {
    RunConfig config = SmallRuns.of(RunConfig.defaults());
    EnvironmentFactory factory = task.equals("pendulum") ? PENDULUM : CART_POLE;
    try (Experience experience = new Experience(config, factory)) {
      ParameterReplica replica = experience.model().parameters().replica();
      Rollout rollout = experience.collect();
      TrainingTargets estimates = Experience.estimates(rollout, config, SCALE);
      PpoLoss loss = new PpoLoss(experience.agent(), config.ppo());
      List<int[]> pieces = List.of(new int[] {4, 1, 7, 2}, new int[] {0}, new int[] {6, 3, 5});
      int[] all = pieces.stream().flatMapToInt(Arrays::stream).toArray();
      loss.backward(replica, new SequenceBatch(rollout, all), estimates, ALL, 1);
      float[] whole = replica.gradient().clone();

      double[] weights =
          MicrobatchWeights.of(pieces.stream().mapToDouble(piece -> piece.length).toArray());
      float[] accumulated = new float[whole.length];
      for (int i = 0; i < pieces.size(); i++) {
        SequenceBatch batch = new SequenceBatch(rollout, pieces.get(i));
        loss.backward(replica, batch, estimates, ALL, weights[i]);
        FloatVectors.add(accumulated, replica.gradient());
      }
      double norm = FloatVectors.norm(whole);
      assertThat(norm).isGreaterThan(1e-3);
      assertThat(accumulated).containsExactly(whole, within((float) (1e-6 * Math.max(1, norm))));
    }
  }

  @Requirement("CRIT-3")
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldCarryTheCriticGradientIntoTheCriticsTrunkAndMemory(int layers) {
    try (CriticGradient gradient = new CriticGradient("network.layers=" + layers)) {
      for (String part :
          List.of("critic.lstm.0.", "critic.mlp.", "critic.head1.", "critic.head2.")) {
        assertThat(gradient.norm(part)).as(part).isGreaterThan(1e-4);
      }
      assertThat(gradient.norm("critic.lstm." + (layers - 1) + ".")).isGreaterThan(1e-4);
      assertThat(gradient.norm("actor.")).isZero();
    }
  }

  @Requirement("CRIT-3")
  @Test
  void shouldCarryTheCategoricalGradientIntoTheCriticsTrunkAndMemory() {
    try (CriticGradient gradient = new CriticGradient("critic.type=categorical")) {
      assertThat(gradient.experience.agent().critic()).isInstanceOf(CategoricalCritic.class);
      for (String part :
          List.of("critic.lstm.0.", "critic.mlp.", "critic.head1.", "critic.head2.")) {
        assertThat(gradient.norm(part)).as(part).isGreaterThan(1e-6);
      }
      assertThat(gradient.norm("actor.")).isZero();
    }
  }

  @Requirement("CRIT-3")
  @Test
  void shouldCarryTheCriticGradientIntoTheSharedTrunkAndMemory() {
    try (CriticGradient gradient = new CriticGradient("network.sharedMemory=true")) {
      assertThat(gradient.norm("shared.lstm.0.")).isGreaterThan(1e-4);
      assertThat(gradient.norm("shared.mlp.")).isGreaterThan(1e-4);
      assertThat(gradient.norm("actor.head.")).isZero();
    }
  }

  /** Without advantages, entropy, cloning and penalty only the critics' term is left. */
  private static final class CriticGradient implements AutoCloseable {
    private final Experience experience;
    private final ParameterReplica replica;

    CriticGradient(String override) {
      RunConfig config = SmallRuns.of(RunConfig.defaults(), override);
      experience = new Experience(config, CART_POLE);
      replica = experience.model().parameters().replica();
      Rollout rollout = experience.collect();
      TrainingTargets estimates = Experience.estimates(rollout, config, SCALE);
      TrainingTargets withoutAdvantages = Experience.withoutAdvantages(estimates);
      int[] windows = IntStream.range(0, rollout.shape().windows()).toArray();
      new PpoLoss(experience.agent(), config.ppo())
          .backward(
              replica, new SequenceBatch(rollout, windows), withoutAdvantages, CRITIC_ONLY, 1);
    }

    double norm(String prefix) {
      return FloatVectors.norm(
          experience.model().parameters().range(prefix).of(replica.gradient()));
    }

    @Override
    public void close() {
      experience.close();
    }
  }

  @Requirement("POL-2")
  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void shouldLeaveNoGradientWhenALogRatioIsNotFinite(float poison) {
    RunConfig config = SmallRuns.of(RunConfig.defaults());
    try (Experience experience = new Experience(config, CART_POLE)) {
      ParameterReplica replica = experience.model().parameters().replica();
      Rollout rollout = experience.collect();
      TrainingTargets estimates = Experience.estimates(rollout, config, SCALE);
      SequenceBatch batch = new SequenceBatch(rollout, new int[] {0, 1});
      Experience.poison(rollout, batch.transitions()[3], poison);
      PpoLoss loss = new PpoLoss(experience.agent(), config.ppo());
      LossResult result = loss.backward(replica, batch, estimates, ALL, 1);
      assertThat(result.usable()).isFalse();
      assertThat(result.finiteLogRatios()).isFalse();
      assertThat(replica.gradient()).containsOnly(0);
    }
  }

  @Test
  void shouldReportTheTermsOfTheLoss() {
    RunConfig config = SmallRuns.of(RunConfig.defaults());
    try (Experience experience = new Experience(config, PENDULUM)) {
      ParameterReplica replica = experience.model().parameters().replica();
      Rollout rollout = experience.collect();
      TrainingTargets estimates = Experience.estimates(rollout, config, SCALE);
      int[] windows = IntStream.range(0, rollout.shape().windows()).toArray();
      LossResult result =
          new PpoLoss(experience.agent(), config.ppo())
              .backward(replica, new SequenceBatch(rollout, windows), estimates, ALL, 1);
      assertThat(result.samples()).isEqualTo(64);
      assertThat(result.entropies()).hasSize(64);
      assertThat(result.surrogateLoss()).as("minus the mean advantage").isCloseTo(0, within(1e-5));
      double entropy = 0;
      for (float value : result.entropies()) {
        entropy += value / 64.0;
      }
      double critic = Arrays.stream(result.criticLosses()).average().orElseThrow();
      double expected =
          result.surrogateLoss()
              + 0.3 * result.cloningLoss()
              + 0.1 * result.divergence()
              - 0.02 * entropy
              + 0.5 * critic;
      assertThat(result.total()).isCloseTo(expected, within(1e-5));
    }
  }
}
