package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.env.Environments;
import io.quantail.env.VectorEnvironment;
import io.quantail.rollout.Agent;
import io.quantail.rollout.Collector;
import io.quantail.rollout.Rollout;
import io.quantail.tensor.Workers;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PredictorTest {
  private static final ReturnScale SCALE = new ReturnScale(3, 2);

  @Test
  @Requirement("EV-1")
  void shouldRepeatWhatWasSaidDuringCollectionWhileNothingWasLearnt() {
    RunConfig config =
        ConfigLoader.parse(
            "{environment: {name: Pendulum-v1, count: 4}, network: {hidden: 8},"
                + " rollout: {steps: 16}, ppo: {batchSize: 16, sequenceLength: 4},"
                + " critic: {quantiles: 5}, training: {threads: 2}}",
            "test",
            List.of());
    try (VectorEnvironment environments =
            new VectorEnvironment(Environments.byName("Pendulum-v1"), 4, config.seed());
        Workers workers = new Workers(2)) {
      Agent agent = new Agent(config, environments.observationSize(), environments.actionSpace());
      PpoUpdate update = new PpoUpdate(config, agent, workers);
      Collector.Options options = new Collector.Options(config.seed(), 16, 4, 2, false);
      Rollout rollout = new Collector(agent, environments, workers, options).collect(SCALE);
      float[] parameters = agent.parameters().values().clone();

      Predictions predictions = update.predict(rollout);

      assertThat(agent.parameters().values()).isEqualTo(parameters);
      assertThat(predictions.values())
          .containsExactly(SCALE.normalize(rollout.values()), within(1e-5));
      double[] logProbabilities = new double[rollout.logProbabilities().length];
      Arrays.setAll(logProbabilities, i -> rollout.logProbabilities()[i]);
      assertThat(predictions.logProbabilities()).containsExactly(logProbabilities, within(1e-4));
      assertThat(DoubleStream.of(predictions.gaps())).hasSize(64).anyMatch(gap -> gap > 0);
      assertThat(predictions.quantiles()).hasSize(64 * Predictions.LEVELS.size());
      for (int row = 0; row < 64; row++) {
        int first = row * Predictions.LEVELS.size();
        assertThat(Arrays.copyOfRange(predictions.quantiles(), first, first + 5))
            .isSorted()
            .doesNotHaveDuplicates();
      }
      Predictions.GaussianShift shift = predictions.shift().orElseThrow();
      assertThat(DoubleStream.of(shift.meanTerms()))
          .hasSize(64)
          .allMatch(term -> Math.abs(term) < 1e-6);
      assertThat(DoubleStream.of(shift.varianceTerms()))
          .hasSize(64)
          .allMatch(term -> Math.abs(term) < 1e-6);
      assertThat(DoubleStream.of(shift.distances())).hasSize(64).allMatch(z -> z >= 0 && z < 8.001);
    }
  }
}
