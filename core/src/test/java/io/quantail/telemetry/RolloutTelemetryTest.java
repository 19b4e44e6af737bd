package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.FaultyEnvironment;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.metrics.MetricRow;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.train.Trainer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Trains tiny agents of every kind and looks at what they emit. */
@Requirement("MON-1")
class RolloutTelemetryTest {
  private static MetricRow cartPole;
  private static MetricRow pendulum;
  private static MetricRow shared;
  private static MetricRow faulty;
  private static MetricRow measured; // has enough calibrated steps
  private static MetricRow several; // masked choices and several actions at once

  @BeforeAll
  static void train() {
    cartPole =
        train(
            "CartPole-v1",
            "rollout.gamma=0.25", // pools enough realised returns in the third iteration
            "ppo.entropy.plateauWindow=3",
            "critic.clip.mode=mean-and-variance",
            "critic.clip.warmupUpdates=5",
            "critic.clip.thresholdExplainedVariance=0.5");
    pendulum =
        train(
            "Pendulum-v1",
            "ppo.kl.target=1e-9",
            "ppo.kl.penalty=0.1",
            "ppo.kl.penaltyMin=0.01",
            "ppo.kl.epochDecay=0.5",
            "critic.clip.mode=per-quantile",
            "risk.mode=constraint",
            "network.sharedMemory=true",
            "risk.measure=returns",
            "risk.alpha=0.009",
            "risk.limit=100");
    shared =
        train(
            "CartPole-v1",
            "network.memory=none",
            "network.sharedMemory=true",
            "critic.twin=false",
            "critic.type=categorical",
            "optimizer.name=adaptive-upgd",
            "optimizer.vgs.enabled=true",
            "optimizer.vgs.warmupSteps=8",
            "ppo.cloning.coefficient=0.1",
            "robust.mode=state-adversarial",
            "robust.attackedShare=0.5");
    measured = train("Pendulum-v1", "rollout.gamma=0.5", "rollout.steps=256");
    several = train("RepeatMixed-v0");
    faulty =
        train(
            index -> new FaultyEnvironment(9, new FaultyEnvironment.Odds(0.05, 0, 0.05)),
            "environment.faults.policy=restart");
  }

  @Test
  void shouldEmitCataloguedNamesOnly() {
    assertThat(emitted()).allMatch(MetricCatalogue::contains);
  }

  @Test
  void shouldEmitEveryCataloguedMetricOfTheLearnerThatIsNoAlert() {
    Set<String> silent = new TreeSet<>();
    MetricCatalogue.entries().stream()
        .map(MetricDescription::name)
        .filter(
            name -> !name.matches("(info|warn|error|health|validation)/.*|time/validation_seconds"))
        .forEach(silent::add);
    emitted().forEach(name -> silent.remove(MetricCatalogue.describe(name).orElseThrow().name()));
    assertThat(silent).isEmpty();
  }

  @Test
  void shouldEmitOnlyWhatHasAMeaningForTheAgent() {
    assertThat(shared.values())
        .doesNotContainKeys("train/critic2_grad_norm", "train/twin_critics/value_gap")
        .doesNotContainKeys("train/vf_clip_active", "train/critic_loss_clipped")
        .containsKey("train/critic1_grad_norm");
    assertThat(shared.values().keySet()).noneMatch(name -> name.contains("lstm"));
    assertThat(cartPole.values())
        .containsKeys(
            "lstm/h_norm_layer0", "lstm/h_norm_layer1", "train/lstm_grad_norm/actor.lstm.0")
        .doesNotContainKeys("diag/sigma_new_p50", "train/target_kl")
        .doesNotContainKeys("optim/gate_mean", "vgs/step_count", "train/vgs_scaling_factor_applied")
        .containsKey("optim/update_norm");
    assertThat(pendulum.values())
        .containsKeys("diag/sigma_new_p50", "train/kl_exceed_frac_at_stop");
  }

  @Test
  void shouldEmitConsistentNumbers() {
    assertThat(cartPole.values())
        .containsEntry("time/iterations", 3.0)
        .containsEntry("time/total_timesteps", 3 * 128.0)
        .containsEntry("train/n_minibatches_done", 8.0)
        .containsEntry("train/actual_batch_size", 32.0)
        .containsEntry("train/microbatch_size", 16.0)
        .containsEntry("train/ev/n_samples", 128.0)
        .containsEntry("train/value_scale_update_count", 3.0)
        .containsEntry("train/vf_clip_active", 0.0)
        .containsEntry("train/vf_clip_warmup_active", 1.0)
        .containsEntry("train/vf_clip_updates_remaining", 3.0)
        .containsEntry("train/vf_clip_threshold_ev", 0.5)
        .doesNotContainKey("train/vf_clip_active_frac")
        .containsEntry("train/reward_raw_p50", 1.0);
    assertThat(shared.values())
        .containsEntry("vgs/step_count", 3 * 8.0)
        .containsEntry("vgs/warmup_active", 0.0)
        .containsEntry("vgs/measure", 0.0);
    assertThat(shared.values().get("train/vgs_scaling_factor_applied")).isBetween(0.1, 0.999);
    assertThat(pendulum.values())
        .containsEntry("train/vf_clip_active", 1.0)
        .containsEntry("train/kl_early_stop", 1.0)
        .containsEntry("train/kl_stop_reason", 1.0)
        .containsEntry("train/kl_penalty_error", pendulum.values().get("train/kl_exact") - 1e-9);
    double scale = cartPole.values().get("train/value_target_scale");
    assertThat(10 * scale * cartPole.values().get("train/ret_std")).isCloseTo(1, within(1e-12));
    assertThat(cartPole.values())
        .containsEntry("rollout/win_rate", 1.0)
        .containsEntry("rollout/win_rate_total_episodes", cartPole.values().get("rollout/episodes"))
        .containsEntry("rollout/max_drawdown", 0.0)
        .doesNotContainKeys("rollout/sharpe_ratio", "train/bc_weight_cap_fraction");
    assertThat(cartPole.values().get("train/value_loss"))
        .isCloseTo(
            cartPole.values().get("train/vf_coef_effective")
                * cartPole.values().get("train/value_ce_loss"),
            within(1e-12));
    assertThat(pendulum.values().get("rollout/max_drawdown")).isCloseTo(1, within(1e-9));
    assertThat(pendulum.values().get("rollout/sharpe_ratio")).isNegative();
    for (MetricRow row : List.of(cartPole, pendulum, shared)) {
      assertThat(row.values().get("train/grad_norm_pre_clip_max"))
          .isGreaterThanOrEqualTo(row.values().get("train/grad_norm_pre_clip"));
      assertThat(row.values().get("train/grad_clip_fraction")).isBetween(0.0, 1.0);
    }
    assertThat(shared.values().get("vgs/stochastic_var_p10"))
        .isLessThan(shared.values().get("vgs/stochastic_var_p90"));
  }

  @Requirement("ENV-2")
  @Test
  void shouldCountFaultsWhereEnvironmentsAreReplaced() {
    assertThat(cartPole.values().keySet()).noneMatch(name -> name.startsWith("env/"));
    double exceptions = faulty.values().get("env/step_exceptions");
    double outputs = faulty.values().get("env/invalid_outputs");
    assertThat(exceptions).isPositive();
    assertThat(outputs).isPositive();
    assertThat(faulty.values())
        .containsEntry("env/restarts_total", exceptions + outputs)
        .containsEntry("env/step_timeouts", 0.0);
    assertThat(faulty.values().get("env/failed_env_id")).isBetween(0.0, 3.0);
  }

  /** Every third cost is infinite. */
  @Requirement("MON-2")
  @Test
  void shouldTakeCostsThatAreNotFiniteForMissing() {
    assertThat(faulty.values())
        .containsEntry("train/reward_costs_in_fraction", 0.01)
        .doesNotContainKey("warn/nonfinite_metrics");
    assertThat(faulty.values().get("train/reward_costs_mean_in_fraction"))
        .isCloseTo(0.01, within(1e-12));
    assertThat(cartPole.values()).doesNotContainKey("train/reward_costs_in_fraction");
  }

  private static Set<String> emitted() {
    Set<String> names = new TreeSet<>();
    List.of(cartPole, pendulum, shared, measured, several, faulty)
        .forEach(row -> names.addAll(row.values().keySet()));
    return names;
  }

  /** The row of the third iteration. */
  private static MetricRow train(String environment, String... overrides) {
    return train(EnvironmentRegistry.byName(environment), overrides);
  }

  private static MetricRow train(EnvironmentFactory factory, String... overrides) {
    RunConfig small = SmallRuns.of(RunConfig.defaults(), "rollout.steps=32");
    RunConfig config = SmallRuns.override(small, List.of(overrides));
    try (Trainer trainer = new Trainer(config, factory)) {
      trainer.iterate();
      trainer.iterate();
      return trainer.iterate();
    }
  }
}
