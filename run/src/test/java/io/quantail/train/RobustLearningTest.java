package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.robust.AttackSpec;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code configs/classic/cartpole-robust.yaml} promises, against plain agents of the same
 * seeds and settings: medians over seeds 1 to 5 under the strongest attack at the configured ε.
 */
@Tag("learning")
class RobustLearningTest {
  /**
   * Mean returns of one agent.
   *
   * @param clean when nobody disturbs it
   * @param attacked under PGD-10 at ε
   */
  private record Returns(double clean, double attacked) {}

  @Test
  @Requirement("ROB-1")
  void shouldStandAnAttackTwiceAsWellAsPlainAgents() {
    List<Returns> plain = train("robust.mode=off");
    List<Returns> robust = train("robust.mode=state-adversarial");
    System.out.println("plain " + plain + "\nrobust " + robust);
    assertThat(median(robust, Returns::attacked))
        .isGreaterThanOrEqualTo(2 * median(plain, Returns::attacked));
    assertThat(median(robust, Returns::clean))
        .isGreaterThanOrEqualTo(0.95 * median(plain, Returns::clean));
  }

  private static List<Returns> train(String mode) {
    Path file =
        Path.of(System.getProperty("quantail.root"), "configs/classic/cartpole-robust.yaml");
    RunConfig config = YamlConfig.load(file, List.of(mode));
    return IntStream.rangeClosed(1, 5).mapToObj(seed -> measure(config.withSeed(seed))).toList();
  }

  private static Returns measure(RunConfig config) {
    EnvironmentFactory factory = EnvironmentRegistry.of(config);
    RobustnessEvaluator.Plan plan =
        new RobustnessEvaluator.Plan(
            List.of(AttackSpec.NONE, AttackSpec.parse("pgd-10")),
            List.of(config.robust().epsilon()),
            config.robust().norm());
    try (Trainer trainer = new Trainer(config, factory)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      List<RobustnessEvaluator.Row> rows =
          RobustnessEvaluator.measure(
              trainer.agent(),
              config,
              factory,
              config.evaluation(),
              config.seed(),
              plan,
              row -> {});
      return new Returns(
          rows.get(0).evaluation().meanReturn(), rows.get(1).evaluation().meanReturn());
    }
  }

  private static double median(List<Returns> all, ToDoubleFunction<Returns> which) {
    return all.stream().mapToDouble(which).sorted().toArray()[all.size() / 2];
  }
}
