package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.run.settings.YamlConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The shipped classic configurations reach their bars: the median over seeds 1 to 5 of the mean
 * return of 100 deterministic episodes. {@code tools/learning-suite --tasks bars} trains the same
 * configurations with other seeds and prints a table.
 */
@Tag("learning")
class LearningBarsTest {

  @ParameterizedTest
  @CsvSource({
    "cartpole, network.memory=lstm, 475, 500",
    "cartpole, optimizer.name=adaptive-upgd optimizer.learningRate=0.0014, 475, 500",
    "cartpole-no-velocity, network.memory=lstm, 475, 500",
    "cartpole-no-velocity, network.memory=none, 0, 150",
    "pendulum, network.memory=lstm, -250, 0",
    "pendulum-no-velocity, network.memory=lstm, -300, 0"
  })
  void shouldReachTheBar(String name, String overrides, double lowest, double highest) {
    Path file = Path.of(System.getProperty("quantail.root"), "configs", "classic", name + ".yaml");
    RunConfig config = YamlConfig.load(file, List.of(overrides.split(" ")));
    double[] returns =
        IntStream.rangeClosed(1, 5)
            .mapToDouble(seed -> meanReturn(config.withSeed(seed)))
            .sorted()
            .toArray();
    assertThat(returns[2]).as("median of %s", Arrays.toString(returns)).isBetween(lowest, highest);
  }

  private static double meanReturn(RunConfig config) {
    EnvironmentFactory factory = EnvironmentRegistry.byName(config.environment().name());
    try (Trainer trainer = new Trainer(config, factory)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      return Evaluator.evaluate(trainer.agent(), factory, config.evaluation(), config.seed())
          .meanReturn();
    }
  }
}
