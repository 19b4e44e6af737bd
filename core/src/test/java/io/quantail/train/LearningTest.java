package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentWrapper;
import io.quantail.env.Step;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small tasks that take seconds and fail when any part of the learner is broken. */
class LearningTest {
  private static final List<String> SMALL =
      List.of(
          "environment.count=16",
          "rollout.steps=32",
          "ppo.batchSize=256",
          "ppo.sequenceLength=16",
          "ppo.epochs=4",
          "network.hidden=32",
          "optimizer.learningRate=0.003",
          "evaluation.episodes=200");

  @Test
  void shouldFindTheBestArm() {
    assertThat(meanReturn("Bandit-v0", 4_096, "network.memory=none")).isGreaterThan(0.95);
  }

  @Test
  void shouldRememberTheCueWithMemory() {
    assertThat(meanReturn("DelayedCue-v0", 24_576, "network.memory=lstm")).isGreaterThan(0.95);
  }

  @ParameterizedTest
  @CsvSource({
    "critic.type=categorical, critic.clip.mode=disable",
    "critic.type=categorical, critic.clip.mode=mean-only",
    "critic.type=quantile, critic.clip.mode=mean-only",
    "critic.type=quantile, critic.clip.mode=mean-and-variance",
    "critic.type=quantile, critic.clip.mode=per-quantile",
  })
  void shouldFindTheBestArmWithEveryCriticAndClip(String type, String clip) {
    assertThat(meanReturn("Bandit-v0", 4_096, "network.memory=none", type, clip))
        .isGreaterThan(0.95);
  }

  /** With a learning rate of 0.003, two of eight seeds settled on one answer before the cue. */
  @Test
  void shouldRememberTheCueWithACategoricalCritic() {
    assertThat(
            meanReturn(
                "DelayedCue-v0",
                24_576,
                "network.memory=lstm",
                "critic.type=categorical",
                "optimizer.learningRate=0.002"))
        .isGreaterThan(0.95);
  }

  @Test
  void shouldNotKnowTheCueWithoutMemory() {
    assertThat(meanReturn("DelayedCue-v0", 12_288, "network.memory=none")).isBetween(0.35, 0.65);
  }

  @Test
  void shouldRepeatThePreviousSymbolWithMemory() {
    assertThat(meanReturn("RepeatPrevious-v0", 40_960, "network.memory=lstm")).isGreaterThan(0.7);
  }

  @Test
  void shouldNotRepeatThePreviousSymbolWithoutMemory() {
    assertThat(meanReturn("RepeatPrevious-v0", 12_288, "network.memory=none")).isLessThan(0.4);
  }

  /** At best 1; 0.487 without memory. */
  @Test
  @Requirement("ACT-2")
  void shouldOrderTheAllowedChoicesByTheCue() {
    assertThat(meanReturn("MaskedRecall-v0", 40_960, "network.memory=lstm")).isGreaterThan(0.95);
  }

  /** At best 1; 0.667 with the number 0, and 0.222 without memory. */
  @Test
  @Requirement("ACT-2")
  void shouldRepeatASymbolAndALevelTogether() {
    assertThat(meanReturn("RepeatMixed-v0", 65_536, "network.memory=lstm")).isGreaterThan(0.85);
  }

  /** Climbing earns 568.5 on average in 200 steps; its reward lies beyond the limit of 20 steps. */
  @Test
  void shouldBootstrapFromTruncatedEpisodes() {
    EnvironmentFactory training = EnvironmentRegistry.byName("TimeLimit-v0");
    assertThat(returnOfLongEpisodes(training)).isGreaterThan(540);
  }

  @Test
  void shouldRestWhenTheTimeLimitCountsAsTermination() {
    EnvironmentFactory training = EnvironmentRegistry.byName("TimeLimit-v0");
    assertThat(returnOfLongEpisodes(index -> new Terminating(training.create(index))))
        .isLessThan(480);
  }

  private static double returnOfLongEpisodes(EnvironmentFactory training) {
    EnvironmentFactory judged = EnvironmentRegistry.byName("TimeLimitLong-v0");
    return meanReturn("TimeLimit-v0", 40_960, training, judged, "network.memory=none");
  }

  /** Marks truncated steps as terminated, as a learner that ignores the difference would. */
  private static final class Terminating extends EnvironmentWrapper {
    Terminating(Environment environment) {
      super(environment);
    }

    @Override
    public Step step(Action action) {
      Step step = environment.step(action);
      return step.isTruncated()
          ? Step.of(step.observation()).reward(step.reward()).terminated()
          : step;
    }
  }

  private static double meanReturn(String environment, int steps, String... settings) {
    EnvironmentFactory factory = EnvironmentRegistry.byName(environment);
    return meanReturn(environment, steps, factory, factory, settings);
  }

  private static double meanReturn(
      String environment,
      int steps,
      EnvironmentFactory training,
      EnvironmentFactory judged,
      String... settings) {
    List<String> overrides =
        new ArrayList<>(List.of("environment.name=" + environment, "training.steps=" + steps));
    overrides.addAll(SMALL);
    overrides.addAll(List.of(settings));
    RunConfig config = SmallRuns.override(RunConfig.defaults(), overrides);
    try (Trainer trainer = new Trainer(config, training)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      return Evaluator.evaluate(trainer.agent(), judged, config.evaluation(), config.seed())
          .meanReturn();
    }
  }
}
