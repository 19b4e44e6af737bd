package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.network.NetworkPass;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** All rewards are multiplied by 1,000 in the middle of training. */
class RewardScaleJumpTest {
  private static final List<String> SETTINGS =
      List.of(
          "environment.name=RepeatPrevious-v0",
          "environment.count=16",
          "rollout.steps=32",
          "ppo.batchSize=256",
          "ppo.sequenceLength=16",
          "ppo.epochs=4",
          "network.hidden=32",
          "optimizer.learningRate=0.003",
          "evaluation.episodes=200",
          "training.steps=1000000");

  @Test
  @Requirement("RET-2")
  void shouldNotJumpAtTheCommit() {
    RunConfig config = SmallRuns.override(RunConfig.defaults(), SETTINGS);
    try (Trainer trainer =
        new Trainer(config, EnvironmentRegistry.byName(config.environment().name()))) {
      iterate(trainer, 20);
      double value = value(trainer);
      // The scale may grow by half at a time, so it takes several commits to follow.
      for (int commit = 0; commit < 25; commit++) {
        trainer.commitReturnScale(new double[] {-500, 300, 1000});
        assertThat(value(trainer)).isCloseTo(value, within(1e-3));
      }
      assertThat(scale(trainer).std()).isGreaterThan(100);
    }
  }

  @Test
  @Requirement("RET-1")
  void shouldRecover() {
    RunConfig config = SmallRuns.override(RunConfig.defaults(), SETTINGS);
    EnvironmentFactory plain = EnvironmentRegistry.byName(config.environment().name());
    AtomicReference<Double> factor = new AtomicReference<>(1.0);
    try (Trainer trainer = new Trainer(config, index -> new Scaled(plain.create(index), factor))) {
      iterate(trainer, 70);
      double before = score(trainer, plain, config);
      factor.set(1000.0);
      iterate(trainer, 50);

      assertThat(before).isGreaterThan(0.6);
      assertThat(score(trainer, plain, config)).isGreaterThan(before - 0.05);
      assertThat(scale(trainer).std()).isGreaterThan(50);
      Map<String, Double> values = trainer.iterate().values();
      assertThat(values.get("train/value_pred_mean"))
          .isCloseTo(values.get("train/target_return_mean"), within(0.5));
    }
  }

  private static void iterate(Trainer trainer, int times) {
    for (int i = 0; i < times; i++) {
      trainer.iterate();
    }
  }

  private static double score(Trainer trainer, EnvironmentFactory plain, RunConfig config) {
    return Evaluator.evaluate(trainer.agent(), plain, config.evaluation(), 5).meanReturn();
  }

  private static ReturnScale scale(Trainer trainer) {
    StateMap state = new StateMap();
    trainer.save(state);
    double[] scale = state.child("returns").doubles("scale", 2);
    return new ReturnScale(scale[0], scale[1]);
  }

  /** Raw value of a fixed observation at the start of an episode. */
  private static double value(Trainer trainer) {
    ActingModel agent = trainer.agent();
    float[][] observation = {{1, 0, 0, 0}};
    NetworkPass pass =
        agent
            .network()
            .step(new Workspace(), agent.inference(), observation, agent.network().initialState(1));
    return scale(trainer).denormalize(agent.critic().value(pass.values()[0]));
  }

  /** Multiplies rewards. */
  private record Scaled(Environment inner, AtomicReference<Double> factor) implements Environment {
    @Override
    public ObservationSpace observationSpace() {
      return inner.observationSpace();
    }

    @Override
    public ActionSpace actionSpace() {
      return inner.actionSpace();
    }

    @Override
    public float[] reset(RandomStream random) {
      return inner.reset(random);
    }

    @Override
    public Step step(Action action) {
      Step step = inner.step(action);
      return Step.of(step.observation())
          .reward(step.reward() * factor.get())
          .terminated(step.isTerminated())
          .truncated(step.isTruncated())
          .info(step.info());
    }
  }
}
