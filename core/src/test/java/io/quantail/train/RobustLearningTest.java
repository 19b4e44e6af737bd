package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Environments;
import io.quantail.robust.AttackKind;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two agents that differ in nothing but the robust term, under the attack that it is made for. */
@Requirement("ROB-1")
class RobustLearningTest {

  /**
   * @param clean mean return of undisturbed episodes
   * @param attacked mean return under PGD-10
   */
  private record Returns(double clean, double attacked) {}

  private static Returns train(String mode, long seed, List<String> more) {
    List<String> overrides = new ArrayList<>(List.of("seed=" + seed, "robust.mode=" + mode));
    overrides.addAll(more);
    RunConfig config =
        ConfigLoader.load(
            Path.of(
                System.getProperty("quantail.root"), "configs", "classic", "cartpole-robust.yaml"),
            overrides);
    EnvironmentFactory factory = Environments.of(config);
    try (Trainer trainer = new Trainer(config, factory)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      List<Robustness.Row> rows =
          Robustness.measure(
              trainer.agent(),
              config,
              factory,
              config.evaluation(),
              seed,
              new Robustness.Plan(
                  List.of(AttackKind.NONE, AttackKind.parse("pgd-10")),
                  List.of(config.robust().epsilon()),
                  config.robust().norm()),
              row -> {});
      Returns returns =
          new Returns(rows.get(0).evaluation().meanReturn(), rows.get(1).evaluation().meanReturn());
      System.out.printf("robust.mode %s, seed %d: %s%n", mode, seed, returns);
      return returns;
    }
  }

  @Tag("learning")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldWithstandTheAttackThatBreaksAPlainAgent(long seed) {
    Returns plain = train("off", seed, List.of());
    Returns robust = train("state-adversarial", seed, List.of());
    assertThat(robust.attacked()).isGreaterThanOrEqualTo(2 * plain.attacked());
    assertThat(robust.clean()).isGreaterThanOrEqualTo(0.95 * plain.clean());
  }

  /** The same in short: a small network, fewer steps and episodes. */
  @Test
  void shouldWithstandMoreThanAPlainAgentAfterAFewSteps() {
    List<String> small =
        List.of(
            "network.memory=none",
            "network.hidden=16",
            "critic.quantiles=8",
            "training.steps=30000",
            "evaluation.episodes=20");
    Returns plain = train("off", 1, small);
    Returns robust = train("state-adversarial", 1, small);
    assertThat(robust.attacked()).isGreaterThan(1.5 * plain.attacked());
  }
}
