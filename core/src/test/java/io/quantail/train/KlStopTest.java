package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An update ends before the step of the minibatch whose KL divergence is too large. */
@Requirement("POL-3")
class KlStopTest {
  /** So small that every minibatch after the first step exceeds it. */
  private static final String TINY_TARGET = "ppo.kl.target=1e-300";

  /** Above the rounding of the first minibatch, and below the KL of any step. */
  private static final String SMALL_TARGET = "ppo.kl.target=1e-9";

  private static final String NO_FRACTION = "ppo.kl.exceedStopFraction=0";
  private static final String NO_ABSOLUTE = "ppo.kl.absoluteStopFactor=null";

  private record Outcome(Map<String, Double> metrics, float[] parameters) {}

  @ParameterizedTest
  @ValueSource(strings = {"network.memory=lstm", "network.memory=none"})
  void shouldKeepTheParametersOfTheStepsBeforeTheRefusedOne(String memory) {
    String whole = "ppo.batchSize=64"; // a minibatch is the rollout, an epoch one step
    Outcome one = firstUpdate(memory, whole, "ppo.epochs=1");
    Outcome stopped = firstUpdate(memory, whole, "ppo.epochs=4", TINY_TARGET);

    assertThat(one.metrics()).containsEntry("train/n_minibatches_done", 1.0);
    assertThat(stopped.parameters()).isEqualTo(one.parameters());
    assertThat(stopped.metrics())
        .containsEntry("train/n_minibatches_done", 1.0)
        .containsEntry("train/n_epochs_completed", 1.0)
        .containsEntry("train/kl_early_stop", 1.0)
        .containsEntry("train/kl_stop_reason", 1.0)
        .doesNotContainKey("error/updates_refused_in_a_row");
  }

  @Test
  void shouldRefuseTheSecondMinibatchWithinAnEpoch() {
    Outcome stopped = firstUpdate(TINY_TARGET, NO_FRACTION);

    assertThat(stopped.metrics())
        .containsEntry("train/n_minibatches_done", 1.0)
        .containsEntry("train/n_epochs_completed", 0.0)
        .containsEntry("train/actual_batch_size", 32.0)
        .containsEntry("train/kl_stop_reason", 1.0);
    assertThat(stopped.metrics().get("train/kl_last_exceeded")).isPositive();
    assertThat(stopped.metrics().get("train/kl_exact")).isPositive(); // of the refused minibatch
  }

  @Test
  void shouldRefuseTheMinibatchThatCompletesARun() {
    Outcome stopped = firstUpdate(SMALL_TARGET, NO_FRACTION, NO_ABSOLUTE, "ppo.kl.consecutive=2");

    assertThat(stopped.metrics())
        .containsEntry("train/n_minibatches_done", 2.0)
        .containsEntry("train/kl_exceed_consec_max", 2.0)
        .containsEntry("train/kl_exceed_frac", 2 / 3.0)
        .containsEntry("train/kl_stop_reason", 2.0);
  }

  @Test
  void shouldApplyTheRuleOfAnEpochAfterItsLastStep() {
    Outcome stopped = firstUpdate(TINY_TARGET, NO_ABSOLUTE, "ppo.kl.exceedStopFraction=0.5");

    assertThat(stopped.metrics())
        .containsEntry("train/n_minibatches_done", 2.0)
        .containsEntry("train/n_epochs_completed", 1.0)
        .containsEntry("train/kl_stop_reason", 3.0);
  }

  @Test
  void shouldTakeEveryStepWithoutTheRules() {
    Outcome free = firstUpdate();
    Outcome off = firstUpdate(TINY_TARGET, "ppo.kl.earlyStop=false");

    assertThat(off.parameters()).isEqualTo(free.parameters());
    assertThat(off.metrics()).containsEntry("train/n_minibatches_done", 4.0);
  }

  private static Outcome firstUpdate(String... overrides) {
    List<String> all = new ArrayList<>(List.of("optimizer.learningRate=0.01"));
    all.addAll(List.of(overrides));
    RunConfig config = SmallRuns.of(RunConfig.defaults(), all.toArray(String[]::new));
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName("CartPole-v1"))) {
      Map<String, Double> metrics = trainer.iterate().values();
      return new Outcome(metrics, trainer.model().parameters().values().clone());
    }
  }
}
