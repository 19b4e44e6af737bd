package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.metrics.MetricRow;
import io.quantail.robust.AttackSpec;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("ROB-1")
class RobustTrainingTest {
  private static final EnvironmentFactory CART_POLE = EnvironmentRegistry.byName("CartPole-v1");
  private static final String ON = "robust.mode=state-adversarial";

  private static float[] weightsAfter(int updates, String... overrides) {
    try (Trainer trainer = new Trainer(SmallRuns.of(RunConfig.defaults(), overrides), CART_POLE)) {
      for (int i = 0; i < updates; i++) {
        trainer.iterate();
      }
      return trainer.model().parameters().values();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"robust.epsilon=0", "robust.coefficient=0", "robust.warmupUpdates=9"})
  void shouldTrainToTheBitAsWithoutWhereTheTermHasNoWeight(String without) {
    assertThat(weightsAfter(3, ON, "robust.rampShare=0", without)).isEqualTo(weightsAfter(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"robust.epsilon=0", "robust.attackedShare=0.2", "robust.warmupUpdates=9"})
  void shouldTrainToTheBitAsWithoutWhereNoEnvironmentIsAttacked(String without) {
    String[] share = {ON, "robust.rampShare=0", "robust.coefficient=0", "robust.attackedShare=0.5"};
    assertThat(weightsAfter(3, share[0], share[1], share[2], share[3], without))
        .isEqualTo(weightsAfter(3));
    assertThat(weightsAfter(3, share)).isNotEqualTo(weightsAfter(3));
  }

  @Test
  void shouldGiveTheSameBitsUnderAttackWithOneThreadAndWithTwo() {
    String[] attacked = {ON, "robust.attackedShare=0.75", "rollout.lanes=2", "training.threads=1"};
    float[] one = weightsAfter(3, attacked);
    attacked[3] = "training.threads=2";
    assertThat(weightsAfter(3, attacked)).isEqualTo(one);
  }

  @Test
  void shouldGiveTheSameBitsWithOneThreadAndWithTwo() {
    float[] one = weightsAfter(3, ON, "robust.ratio=0.5", "training.threads=1");
    assertThat(weightsAfter(3, ON, "robust.ratio=0.5", "training.threads=2")).isEqualTo(one);
    assertThat(weightsAfter(3)).isNotEqualTo(one);
  }

  @ParameterizedTest
  @ValueSource(strings = {"robust.attackedShare=0", "robust.attackedShare=0.5"})
  void shouldResumeToTheBit(String attacked) {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), ON, attacked);
    StateMap middle = new StateMap();
    float[] whole;
    try (Trainer trainer = new Trainer(config, CART_POLE)) {
      trainer.iterate();
      trainer.iterate();
      trainer.save(middle);
      trainer.iterate();
      whole = trainer.model().parameters().values();
    }
    try (Trainer trainer = new Trainer(config, CART_POLE)) {
      trainer.load(middle);
      trainer.iterate();
      assertThat(trainer.model().parameters().values()).isEqualTo(whole);
    }
  }

  @Test
  void shouldRampUpAndTellWhatItDoes() {
    // 10,000 steps of 64 are 156 updates, and a share of 0.03 of those 4.
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            ON,
            "robust.rampShare=0.03",
            "robust.warmupUpdates=2",
            "robust.attackedShare=0.5");
    List<MetricRow> rows = new ArrayList<>();
    try (Trainer trainer = new Trainer(config, CART_POLE)) {
      for (int i = 0; i < 5; i++) {
        rows.add(trainer.iterate());
      }
    }
    assertThat(rows.stream().map(row -> row.values().get("sa_ppo/current_epsilon")))
        .containsExactly(0.0, 0.05, 0.07500000000000001, 0.1, 0.1);
    assertThat(rows.stream().map(row -> row.values().get("sa_ppo/enabled")))
        .containsExactly(0.0, 1.0, 1.0, 1.0, 1.0);
    TreeSet<String> told = new TreeSet<>(); // a return only where an episode has ended
    rows.forEach(row -> told.addAll(row.values().keySet()));
    told.removeIf(name -> !name.startsWith("sa_ppo/"));
    assertThat(told)
        .containsExactlyInAnyOrderElementsOf(
            MetricCatalogue.entries().stream()
                .map(MetricDescription::name)
                .filter(name -> name.startsWith("sa_ppo/"))
                .toList());
    assertThat(rows.get(4).values().get("sa_ppo/avg_perturbation_norm"))
        .isPositive()
        .isLessThanOrEqualTo(0.1 + 1e-6);
    assertThat(rows.get(4).values())
        .containsEntry("sa_ppo/skipped_pieces", 0.0)
        .containsEntry("sa_ppo/attacked_environments", 2.0);
  }

  @Test
  void shouldRefuseToFixAFeatureThatIsNotThere() {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), ON, "robust.fixedFeatures=[0, 4]");
    assertThatThrownBy(() -> new Trainer(config, CART_POLE).close())
        .isInstanceOf(ConfigException.class)
        .hasMessage("robust.fixedFeatures must name features from 0 to 3 of CartPole-v1, was 4");
  }

  @Test
  @Requirement("ROB-2")
  void shouldMeasureEveryAttackOnTheSameEpisodes() {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), "evaluation.episodes=5");
    RobustnessEvaluator.Plan plan =
        new RobustnessEvaluator.Plan(
            List.of("none", "random", "fgsm", "pgd-2").stream().map(AttackSpec::parse).toList(),
            List.of(0.0, 2.0),
            RobustConfig.AttackNorm.LINF);
    try (Trainer trainer = new Trainer(config, CART_POLE)) {
      trainer.iterate();
      List<RobustnessEvaluator.Row> rows =
          RobustnessEvaluator.measure(
              trainer.agent(), config, CART_POLE, config.evaluation(), 7, plan, row -> {});
      assertThat(rows).hasSize(plan.size()).hasSize(7);
      EvaluationSummary clean =
          Evaluator.evaluate(trainer.agent(), CART_POLE, config.evaluation(), 7);
      for (RobustnessEvaluator.Row row : rows) {
        if (row.epsilon() == 0) {
          assertThat(row.evaluation()).as(row.attack()).isEqualTo(clean);
        }
      }
      assertThat(rows.get(6).evaluation()).isNotEqualTo(clean);
      assertThat(
              RobustnessEvaluator.measure(
                  trainer.agent(), config, CART_POLE, config.evaluation(), 7, plan, row -> {}))
          .isEqualTo(rows);
    }
  }
}
