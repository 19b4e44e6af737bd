package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.kernel.FloatVectors;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.PpoLoss;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.risk.CvarLossTerm;
import io.quantail.rollout.Experience;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.rollout.TrainingTargets;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which part of the network each term of the loss reaches, on its own. */
class GradientFlowTest {
  private static final ReturnScale SCALE = new ReturnScale(1, 2);
  private static final double REACHED = 1e-6;
  private static final Optional<CvarLossTerm> NO_RISK = Optional.empty();

  /** Coefficients under which one term alone is left, and whether advantages are needed. */
  private record Alone(boolean advantages, LossCoefficients coefficients) {}

  private static final Map<String, Alone> TERMS = terms();

  private static Map<String, Alone> terms() {
    Map<String, Alone> terms = new LinkedHashMap<>();
    terms.put("surrogate", new Alone(true, coefficients(0, 0, 0, 0, NO_RISK)));
    terms.put("cloning", new Alone(false, coefficients(1, 0, 0, 0, NO_RISK)));
    terms.put("divergence", new Alone(false, coefficients(0, 1, 0, 0, NO_RISK)));
    terms.put("entropy", new Alone(false, coefficients(0, 0, 1, 0, NO_RISK)));
    terms.put("critic", new Alone(false, coefficients(0, 0, 0, 1, NO_RISK)));
    terms.put("CVaR penalty", new Alone(false, coefficients(0, 0, 0, 0, risk(1, 0))));
    terms.put("CVaR constraint", new Alone(false, coefficients(0, 0, 0, 0, risk(0, 1))));
    return terms;
  }

  private static LossCoefficients coefficients(
      double cloning,
      double divergence,
      double entropy,
      double critic,
      Optional<CvarLossTerm> risk) {
    return new LossCoefficients(0.2, cloning, divergence, entropy, critic, Optional.empty(), risk);
  }

  private static Optional<CvarLossTerm> risk(double weight, double multiplier) {
    return Optional.of(
        new CvarLossTerm(
            0.25,
            RiskConfig.CvarMethod.POINT_MASS,
            weight,
            multiplier,
            1e3,
            Double.POSITIVE_INFINITY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"quantile", "categorical"})
  @Requirement("CRIT-3")
  void shouldReachItsOwnTrunkAndHeadsOnly(String critic) {
    List<String> actor = List.of("actor.lstm.0.", "actor.mlp.", "actor.head.");
    List<String> critics =
        List.of("critic.lstm.0.", "critic.mlp.", "critic.head1.", "critic.head2.");
    Map<String, Map<String, Double>> norms =
        norms(List.of(actor, critics), "critic.type=" + critic, "critic.atoms=11");

    norms.forEach(
        (term, row) -> {
          boolean policy = List.of("surrogate", "cloning", "divergence", "entropy").contains(term);
          requireReached(term, row, policy ? actor : critics);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"quantile", "categorical"})
  @Requirement("CRIT-3")
  void shouldReachTheSharedTrunk(String critic) {
    List<String> trunk = List.of("shared.lstm.0.", "shared.mlp.");
    List<String> heads = List.of("actor.head.", "critic.head1.", "critic.head2.");
    Map<String, Map<String, Double>> norms =
        norms(
            List.of(trunk, heads),
            "network.sharedMemory=true",
            "critic.type=" + critic,
            "critic.atoms=11");

    norms.forEach(
        (term, row) ->
            trunk.forEach(part -> assertThat(row.get(part)).as(term).isGreaterThan(REACHED)));
    assertThat(norms.get("surrogate").get("critic.head1.")).isZero();
    assertThat(norms.get("CVaR constraint").get("actor.head.")).isZero();
  }

  private static void requireReached(String term, Map<String, Double> row, List<String> expected) {
    row.forEach(
        (part, norm) -> {
          if (expected.contains(part)) {
            assertThat(norm).as("%s at %s", term, part).isGreaterThan(REACHED);
          } else {
            assertThat(norm).as("%s at %s", term, part).isZero();
          }
        });
  }

  /** Gradient norm of every part, for each term; also printed. */
  private static Map<String, Map<String, Double>> norms(
      List<List<String>> parts, String... overrides) {
    RunConfig config = SmallRuns.of(RunConfig.defaults(), overrides);
    List<String> columns = parts.stream().flatMap(List::stream).toList();
    Map<String, Map<String, Double>> norms = new LinkedHashMap<>();
    try (Experience experience =
        new Experience(config, EnvironmentRegistry.byName("Pendulum-v1"))) {
      ParameterReplica replica = experience.model().parameters().replica();
      Rollout rollout = experience.collect();
      TrainingTargets estimates = Experience.estimates(rollout, config, SCALE);
      // Away from the policy that collected, where the divergence has a gradient.
      experience.model().parameters().change(values -> FloatVectors.scale(values, 1.1));
      SequenceBatch batch =
          new SequenceBatch(rollout, IntStream.range(0, rollout.shape().windows()).toArray());
      PpoLoss loss = new PpoLoss(experience.agent(), config.ppo());
      TERMS.forEach(
          (term, alone) -> {
            TrainingTargets taught =
                alone.advantages() ? estimates : Experience.withoutAdvantages(estimates);
            loss.backward(replica, batch, taught, alone.coefficients(), 1);
            Map<String, Double> row = new LinkedHashMap<>();
            columns.forEach(
                part -> {
                  Parameters.Range range = experience.model().parameters().range(part);
                  row.put(part, FloatVectors.norm(range.of(replica.gradient())));
                });
            norms.put(term, row);
          });
    }
    print(columns, norms);
    return norms;
  }

  private static void print(List<String> columns, Map<String, Map<String, Double>> norms) {
    StringBuilder table = new StringBuilder("%-16s".formatted("gradient norm"));
    columns.forEach(part -> table.append("%16s".formatted(part)));
    norms.forEach(
        (term, row) -> {
          table.append("%n%-16s".formatted(term));
          row.values().forEach(norm -> table.append("%16.6f".formatted(norm)));
        });
    System.out.println(table);
  }
}
