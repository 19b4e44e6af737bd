package io.quantail.study.population;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.ConfigExtensions;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.task.LocalTaskRunner;
import io.quantail.study.task.TaskRunner;
import io.quantail.testing.Requirement;
import io.quantail.train.Evaluator;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All members begin with a learning rate that is a hundred times too small. One that keeps it
 * misses the bar with as many steps as all members together have.
 */
@Requirement("PBT-1")
class PopulationLearningTest {
  /** The threshold at which CartPole-v1 counts as solved. */
  private static final double BAR = 475;

  @TempDir private Path directory;

  private static RunConfig config(long seed, List<String> more) {
    List<String> overrides = new ArrayList<>(List.of("seed=" + seed));
    overrides.addAll(more);
    return YamlConfig.load(
        Path.of(
            System.getProperty("quantail.root"), "configs", "classic", "cartpole-population.yaml"),
        overrides);
  }

  private double population(RunConfig config) {
    try (TaskRunner runner = new LocalTaskRunner(2, directory.resolve("attempts"), 1);
        Population population = new Population(config, directory)) {
      PopulationResult report = population.run(runner, entry -> {});
      System.out.printf(
          "population, seed %d: %s%n",
          config.seed(),
          report.generations().stream().map(generation -> generation.scores().max()).toList());
      return report.best().score();
    }
  }

  private static double alone(RunConfig config) {
    PopulationConfig population = config.modules().find(PopulationConfig.class).orElseThrow();
    long steps = population.size() * population.totalSteps();
    RunConfig single =
        YamlConfig.parse(
            YamlConfig.toYaml(config.withModules(ConfigExtensions.none())),
            "alone",
            List.of("training.threads=1", "training.steps=" + steps));
    EnvironmentFactory factory = EnvironmentRegistry.of(single);
    try (Trainer trainer = new Trainer(single, factory)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      double score =
          Evaluator.evaluate(trainer.agent(), factory, single.evaluation(), single.seed())
              .meanReturn();
      System.out.printf("alone, seed %d: %s%n", single.seed(), score);
      return score;
    }
  }

  @Tag("learning")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldReachTheBarThatAFixedMemberMisses(long seed) {
    RunConfig config = config(seed, List.of());
    assertThat(alone(config)).isLessThan(BAR);
    assertThat(population(config)).isGreaterThanOrEqualTo(BAR);
  }

  /** The same in short: a smaller network, fewer members and steps. */
  @Test
  void shouldReachTheBarWithASmallPopulation() {
    RunConfig config =
        config(
            1,
            List.of(
                "network.hidden=16",
                "population.size=4",
                "population.generations=5",
                "population.stepsPerGeneration=4096",
                "population.truncation=0.25",
                "evaluation.deterministic=true",
                "evaluation.episodes=10"));
    assertThat(alone(config)).isLessThan(BAR);
    assertThat(population(config)).isGreaterThanOrEqualTo(BAR);
  }
}
