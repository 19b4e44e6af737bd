package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.state.StateMap;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Half a run, a restart from its saved state, and the other half equal the whole run. */
class ResumeTest {
  private static final int HALF = 3;

  @ParameterizedTest
  @CsvSource({
    "CartPole-v1, lstm, adam, critic.twin=true",
    "PendulumNoVelocity-v1, lstm, adamw, critic.type=categorical",
    "Pendulum-v1, none, sgd, critic.clip.mode=mean-and-variance",
    "DelayedCue-v0, lstm, adam, critic.clip.mode=per-quantile",
    "CartPole-v1, lstm, adaptive-upgd, critic.twin=true",
    "Pendulum-v1, none, upgd, critic.twin=false",
    "MaskedRecall-v0, lstm, adam, critic.twin=true",
    "RepeatMixed-v0, lstm, adamw, critic.clip.mode=mean-only"
  })
  void shouldContinueBitForBit(String environment, String memory, String optimizer, String critic) {
    RunConfig config =
        SmallRuns.override(
            RunConfig.defaults(),
            List.of(
                "environment.name=" + environment,
                "environment.count=4",
                "network.memory=" + memory,
                "network.hidden=8",
                "rollout.steps=16",
                "ppo.batchSize=32",
                "ppo.sequenceLength=8",
                "ppo.epochs=2",
                "ppo.entropy.plateauWindow=2",
                critic,
                "critic.clip.range=0.001",
                "critic.clip.thresholdExplainedVariance=-1",
                "optimizer.name=" + optimizer,
                "optimizer.momentum=0.5",
                "optimizer.schedule=linear",
                "optimizer.vgs.enabled=" + optimizer.endsWith("upgd"),
                "optimizer.vgs.warmupSteps=4"));
    EnvironmentFactory factory = EnvironmentRegistry.byName(environment);

    List<Map<String, Double>> whole = new ArrayList<>();
    StateMap end = new StateMap();
    try (Trainer trainer = new Trainer(config, factory)) {
      iterate(trainer, 2 * HALF, whole);
      trainer.save(end);
    }

    List<Map<String, Double>> halves = new ArrayList<>();
    StateMap middle = new StateMap();
    try (Trainer trainer = new Trainer(config, factory)) {
      iterate(trainer, HALF, halves);
      trainer.save(middle);
    }
    StateMap resumedEnd = new StateMap();
    try (Trainer trainer = new Trainer(config, factory)) {
      assertThat(trainer.load(middle)).as("running episodes go on").isTrue();
      iterate(trainer, HALF, halves);
      trainer.save(resumedEnd);
    }

    assertThat(halves).isEqualTo(whole);
    assertThat(resumedEnd.names()).isEqualTo(end.names());
    for (String name : end.names()) {
      assertThat(resumedEnd.entries().get(name)).as(name).isEqualTo(end.entries().get(name));
    }
  }

  private static void iterate(Trainer trainer, int count, List<Map<String, Double>> rows) {
    for (int i = 0; i < count; i++) {
      MetricRow row = trainer.iterate();
      Map<String, Double> values = new TreeMap<>(row.values());
      values.keySet().removeIf(name -> name.startsWith("time/"));
      rows.add(values);
    }
  }
}
