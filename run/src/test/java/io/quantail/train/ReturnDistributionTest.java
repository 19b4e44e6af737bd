package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.CoinChain;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.env.tasks.OutcomeDistribution;
import io.quantail.model.ActingModel;
import io.quantail.model.PolicyRunner;
import io.quantail.run.settings.YamlConfig;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The critics learn the distribution of returns where it is known exactly: the 1-Wasserstein
 * distance at the first step is at most 5 % of the true standard deviation. One seed here, five
 * with the tag {@code learning}.
 */
class ReturnDistributionTest {

  @ParameterizedTest
  @CsvSource({"quantile, true", "categorical, true"})
  @Requirement({"CRIT-1", "CRIT-2"})
  void shouldLearnTheDistributionOfReturns(String type, boolean twin) {
    assertThat(distances(type, twin, 1)).allMatch(distance -> distance <= 0.05);
  }

  @ParameterizedTest
  @CsvSource({"quantile, true", "quantile, false", "categorical, true", "categorical, false"})
  @Tag("learning")
  @Requirement({"CRIT-1", "CRIT-2"})
  void shouldLearnTheDistributionOfReturnsWithFiveSeeds(String type, boolean twin) {
    for (int seed = 1; seed <= 5; seed++) {
      List<Double> distances = distances(type, twin, seed);
      System.out.printf("%s, twin %s, seed %d: %s%n", type, twin, seed, distances);
      assertThat(distances).allMatch(distance -> distance <= 0.05);
    }
  }

  /** Of each critic, as a share of the true standard deviation. */
  private static List<Double> distances(String type, boolean twin, int seed) {
    Path file = Path.of(System.getProperty("quantail.root"), "configs", "risk", "coin-chain.yaml");
    RunConfig config =
        YamlConfig.load(
            file, List.of("critic.type=" + type, "critic.twin=" + twin, "seed=" + seed));
    EnvironmentFactory factory = EnvironmentRegistry.byName(config.environment().name());
    try (Trainer trainer = new Trainer(config, factory)) {
      while (!trainer.finished()) {
        trainer.iterate();
      }
      StateMap state = new StateMap();
      trainer.save(state);
      double[] scale = state.child("returns").doubles("scale", 2);
      return distances(trainer.agent(), new ReturnScale(scale[0], scale[1]));
    }
  }

  private static List<Double> distances(ActingModel agent, ReturnScale scale) {
    OutcomeDistribution truth = CoinChain.returns();
    float[] start = new float[CoinChain.LENGTH + 1];
    start[0] = 1;
    List<Double> distances = new ArrayList<>();
    float[] outputs = new PolicyRunner(agent, 1).step(start).values()[0];
    Critic critic = agent.critic();
    for (int offset = 0; offset < outputs.length; offset += critic.outputs()) {
      double[] own = new double[critic.points()];
      for (int i = 0; i < own.length; i++) {
        own[i] = outputs[offset + i];
      }
      double[][] learned = distribution(critic, own);
      double[] values = Arrays.stream(learned[0]).map(scale::denormalize).toArray();
      distances.add(wasserstein(values, learned[1], truth) / truth.std());
    }
    return distances;
  }

  /** Ascending values in normalised units and their probabilities. */
  private static double[][] distribution(Critic critic, double[] outputs) {
    if (critic instanceof CategoricalCritic categorical) {
      double[] weights = Arrays.stream(outputs).map(Math::exp).toArray();
      double total = Arrays.stream(weights).sum();
      return new double[][] {
        categorical.support().atoms(), Arrays.stream(weights).map(w -> w / total).toArray()
      };
    }
    Arrays.sort(outputs);
    double[] equal = new double[outputs.length];
    Arrays.fill(equal, 1.0 / outputs.length);
    return new double[][] {outputs, equal};
  }

  /** The area between the two distribution functions. */
  private static double wasserstein(
      double[] values, double[] probabilities, OutcomeDistribution truth) {
    double[] points = Arrays.copyOf(values, values.length + truth.values().length);
    System.arraycopy(truth.values(), 0, points, values.length, truth.values().length);
    Arrays.sort(points);
    double area = 0;
    for (int i = 1; i < points.length; i++) {
      double gap =
          upTo(points[i - 1], values, probabilities)
              - upTo(points[i - 1], truth.values(), truth.probabilities());
      area += Math.abs(gap) * (points[i] - points[i - 1]);
    }
    return area;
  }

  private static double upTo(double point, double[] values, double[] probabilities) {
    double mass = 0;
    for (int i = 0; i < values.length; i++) {
      mass += values[i] <= point ? probabilities[i] : 0;
    }
    return mass;
  }
}
