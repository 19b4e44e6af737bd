package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentWrapper;
import io.quantail.env.Step;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.robust.AttackSpec;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole trainings and evaluations with masks and with several actions at once. */
class MaskedTrainingTest {
  private static final int ITERATIONS = 4;

  /** Every term that depends on the policy, attacks included. */
  private static RunConfig config(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "ppo.kl.penalty=0.1",
                "ppo.cloning.coefficient=0.1",
                "ppo.entropy.coefficient=0.01",
                "ppo.entropy.plateauWindow=2",
                "optimizer.learningRate=0.003",
                "rollout.lanes=2",
                "robust.mode=state-adversarial",
                "robust.epsilon=0.3",
                "robust.rampShare=0",
                "robust.warmupUpdates=0",
                "robust.attackedShare=0.5"));
    settings.addAll(List.of(more));
    return SmallRuns.of(RunConfig.defaults(), settings.toArray(String[]::new));
  }

  /** Parameters after some updates, and all metrics but those of time. */
  private record Outcome(float[] parameters, List<Map<String, Double>> metrics) {
    static Outcome of(RunConfig config, EnvironmentFactory factory) {
      try (Trainer trainer = new Trainer(config, factory)) {
        List<Map<String, Double>> metrics = new ArrayList<>();
        for (int i = 0; i < ITERATIONS; i++) {
          MetricRow row = trainer.iterate();
          Map<String, Double> values = new TreeMap<>(row.values());
          values
              .keySet()
              .removeIf(
                  name ->
                      name.startsWith("time/")
                          || name.contains("action_")
                          || name.equals("rollout/masked_share"));
          metrics.add(values);
        }
        return new Outcome(trainer.model().parameters().values().clone(), metrics);
      }
    }
  }

  /** Counts the actions that an environment was given, and those that its mask forbids. */
  private static final class Counting extends EnvironmentWrapper {
    private final AtomicLong given;
    private final AtomicLong masked;

    Counting(Environment environment, AtomicLong given, AtomicLong masked) {
      super(environment);
      this.given = given;
      this.masked = masked;
    }

    @Override
    public Step step(Action action) {
      boolean[] mask = new boolean[actionSpace().maskSize()];
      Arrays.fill(mask, true);
      allowed(mask);
      given.incrementAndGet();
      masked.addAndGet(actionSpace().allows(mask, 0, action.toArray(), 0) ? 0 : 1);
      return super.step(action);
    }
  }

  /** In rollouts with and without attacks, and in sampled, most likely and attacked evaluations. */
  @ParameterizedTest
  @Requirement("MASK-2")
  @CsvSource({"MaskedRecall-v0, lstm", "MaskedRecall-v0, none", "RepeatMixed-v0, lstm"})
  void shouldNeverTakeAMaskedAction(String task, String memory) {
    RunConfig config = config("network.memory=" + memory);
    AtomicLong given = new AtomicLong();
    AtomicLong masked = new AtomicLong();
    EnvironmentFactory tasks = EnvironmentRegistry.byName(task);
    EnvironmentFactory factory = index -> new Counting(tasks.create(index), given, masked);
    long evaluated = 0;
    try (Trainer trainer = new Trainer(config, factory)) {
      for (int i = 0; i < ITERATIONS; i++) {
        trainer.iterate();
      }
      for (boolean likely : new boolean[] {true, false}) {
        EvaluationConfig evaluation = new EvaluationConfig(20, likely, 100);
        RobustnessEvaluator.Plan plan =
            new RobustnessEvaluator.Plan(
                List.of(AttackSpec.NONE, AttackSpec.parse("fgsm")),
                List.of(0.5),
                RobustConfig.AttackNorm.LINF);
        for (RobustnessEvaluator.Row row :
            RobustnessEvaluator.measure(
                trainer.agent(), config, factory, evaluation, 3, plan, done -> {})) {
          evaluated += (long) (row.evaluation().episodes() * row.evaluation().meanLength());
          assertThat(row.evaluation().meanReturn()).isBetween(0.0, 1.0);
        }
      }
      assertThat(evaluated).isEqualTo(4 * 20 * 16);
      assertThat(given.get()).isEqualTo(trainer.steps() + evaluated);
      assertThat(masked.get()).isZero();
    }
  }

  @Test
  @Requirement("MASK-2")
  void shouldTrainTheSameBitsWithMasksThatAllowAll() {
    RunConfig config = config();
    EnvironmentFactory plain = EnvironmentRegistry.byName("RepeatPrevious-v0");
    EnvironmentFactory masked =
        index ->
            new EnvironmentWrapper(plain.create(index)) {
              @Override
              public void allowed(boolean[] mask) {
                assertThat(mask).hasSize(4).containsOnly(true);
              }
            };
    assertThat(Outcome.of(config, masked))
        .usingRecursiveComparison()
        .isEqualTo(Outcome.of(config, plain));
  }

  @ParameterizedTest
  @Requirement("ACT-1")
  @CsvSource({"MaskedRecall-v0, quantile", "PendulumNoVelocity-v1, categorical"})
  void shouldTrainTheSameBitsAsProductOfOnePart(String task, String critic) {
    RunConfig config = config("critic.type=" + critic);
    EnvironmentFactory plain = EnvironmentRegistry.byName(task);
    EnvironmentFactory product =
        index ->
            new EnvironmentWrapper(plain.create(index)) {
              @Override
              public ActionSpace actionSpace() {
                return ActionSpace.product(super.actionSpace());
              }
            };
    Outcome expected = Outcome.of(config, plain);
    Outcome actual = Outcome.of(config, product);
    assertThat(actual.parameters()).isEqualTo(expected.parameters());
    for (int i = 0; i < ITERATIONS; i++) {
      assertThat(expected.metrics().get(i)).containsAllEntriesOf(actual.metrics().get(i));
    }
  }

  /** The shares of both choices, then the mean of the box; then the shares of the last part. */
  @Test
  @Requirement("ACT-1")
  void shouldTellTheMeanActionPartByPart() {
    ActionSpace space =
        ActionSpace.product(
            ActionSpace.discrete(2), ActionSpace.box(1, 3), ActionSpace.discrete(3));
    EpisodeRecorder recorder = new EpisodeRecorder(space, 2);
    float[] first = {0, 1, 2, 1, 1.5f, 0};
    float[] second = {1, 3, 2, 1, 2.5f, 1};
    for (float[] actions : List.of(first, second)) {
      recorder.step(0, actions, 0.5);
      recorder.step(1, actions, 0.5);
    }
    recorder.end(0, true);
    recorder.end(1, true);
    assertThat(recorder.meanAction()).containsExactly(0.25, 0.75, 2.0, 0.25, 0.25, 0.5);
  }
}
