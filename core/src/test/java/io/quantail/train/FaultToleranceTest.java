package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.FaultyEnvironment;
import io.quantail.env.FaultyEnvironment.Odds;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.math.NonFiniteException;
import io.quantail.metrics.MetricRow;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Training with environments that throw and hang: it comes to its end, and repeats itself. */
@Requirement("ENV-2")
class FaultToleranceTest {
  private static final int HALF = 10;

  private static RunConfig config(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "environment.faults.policy=restart", "environment.faults.stepDeadlineSeconds=1"));
    settings.addAll(List.of(more));
    return SmallRuns.of(RunConfig.defaults(), settings.toArray(String[]::new));
  }

  /** More faults in fewer steps than the long test, with a restart from saved state half-way. */
  @Test
  @Timeout(120)
  void shouldTrainThroughFaultsBitForBit() {
    EnvironmentFactory factory = index -> new FaultyEnvironment(30, new Odds(0.01, 0.001, 0.01));
    RunConfig config = config();
    Outcome first = train(config, factory, 2 * HALF);
    Outcome second = train(config, factory, 2 * HALF);
    assertThat(first.faults()).isNotEmpty();
    assertThat(second).usingRecursiveComparison().isEqualTo(first);

    StateMap middle = new StateMap();
    List<Map<String, Double>> rows = new ArrayList<>();
    List<EnvironmentFault> faults = new ArrayList<>();
    try (Trainer trainer = new Trainer(config, factory)) {
      iterate(trainer, HALF, rows, faults);
      trainer.save(middle);
    }
    try (Trainer trainer = new Trainer(config, factory)) {
      assertThat(trainer.load(middle)).isTrue();
      iterate(trainer, HALF, rows, faults);
    }
    assertThat(rows).isEqualTo(first.rows());
    assertThat(faults)
        .extracting(EnvironmentFault::message)
        .isEqualTo(first.faults().stream().map(EnvironmentFault::message).toList());
  }

  @Test
  void shouldEvaluateWholeEpisodesOnly() {
    EnvironmentFactory factory = index -> new FaultyEnvironment(30, new Odds(0.01, 0, 0.01));
    RunConfig config = config();
    try (Trainer trainer = new Trainer(config, factory)) {
      EvaluationSummary evaluation =
          Evaluator.evaluate(
              trainer.agent(),
              factory,
              new Evaluator.Settings(
                  new EvaluationConfig(20, true, 1000), config.environment().faults(), 0.05, 1));
      assertThat(evaluation.episodes()).isEqualTo(20);
      assertThat(evaluation.meanLength()).isEqualTo(30);
    }
  }

  @Tag("soak")
  @Test
  void shouldComeThroughTwoHundredThousandSteps() {
    EnvironmentFactory factory = index -> new FaultyEnvironment(200, new Odds(1e-3, 1e-4, 0));
    RunConfig config =
        config(
            "environment.count=16",
            "rollout.steps=128",
            "ppo.batchSize=512",
            "ppo.sequenceLength=32",
            "ppo.epochs=1",
            "environment.faults.stepDeadlineSeconds=0.5");
    Outcome first = train(config, factory, 98);
    assertThat(first.rows().get(97).get("env/step_timeouts")).isGreaterThan(5);
    assertThat(first.rows().get(97).get("env/step_exceptions")).isGreaterThan(100);
    assertThat(train(config, factory, 98)).usingRecursiveComparison().isEqualTo(first);
  }

  /** A weight beyond what single precision holds makes every loss infinite. */
  @Requirement("GRAD-2")
  @Test
  void shouldStopAfterTooManyUpdatesThatChangedNothing() {
    EnvironmentFactory factory = index -> new FaultyEnvironment(30, Odds.NONE);
    StateMap state = new StateMap();
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(), "training.maxRefusedUpdates=1", "ppo.entropy.coefficient=1e300");
    try (Trainer trainer = new Trainer(config, factory)) {
      MetricRow first = trainer.iterate();
      assertThat(first.values()).containsEntry("error/updates_refused_in_a_row", 1.0);
      assertThat(trainer.stuck()).isFalse();
      MetricRow second = trainer.iterate();
      assertThat(second.values()).containsEntry("error/updates_refused_in_a_row", 2.0);
      assertThat(second.update()).isEqualTo(2);
      assertThat(trainer.stuck()).isTrue();
      trainer.save(state);
      assertThatThrownBy(trainer::iterate)
          .isInstanceOf(NonFiniteException.class)
          .hasMessageContaining("of 2 updates in a row")
          .hasMessageContaining("training.maxRefusedUpdates allows 1");
    }
    try (Trainer trainer = new Trainer(config, factory)) {
      trainer.load(state);
      assertThat(trainer.iterate().values())
          .as("a resumed run gets another try")
          .containsEntry("error/updates_refused_in_a_row", 3.0);
    }
  }

  private record Outcome(
      List<Map<String, Double>> rows, List<EnvironmentFault> faults, StateMap end) {}

  private static Outcome train(RunConfig config, EnvironmentFactory factory, int updates) {
    Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>(), new StateMap());
    try (Trainer trainer = new Trainer(config, factory)) {
      iterate(trainer, updates, outcome.rows(), outcome.faults());
      trainer.save(outcome.end());
    }
    return outcome;
  }

  private static void iterate(
      Trainer trainer, int times, List<Map<String, Double>> rows, List<EnvironmentFault> faults) {
    for (int i = 0; i < times; i++) {
      Map<String, Double> values = new TreeMap<>(trainer.iterate().values());
      values.keySet().removeIf(name -> name.startsWith("time/"));
      rows.add(values);
      faults.addAll(trainer.drainFaults());
    }
  }
}
