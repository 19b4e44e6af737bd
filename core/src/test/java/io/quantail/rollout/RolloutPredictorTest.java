package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.AgentModel;
import io.quantail.parallel.WorkerPool;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RolloutPredictorTest {
  private final WorkerPool workers = new WorkerPool(2);
  private final VectorEnvironment environments =
      new VectorEnvironment(EnvironmentRegistry.byName("Pendulum-v1"), 4, 1);

  @AfterEach
  void close() {
    environments.close();
    workers.close();
  }

  private static RunConfig config(String... settings) {
    return SmallRuns.override(
        SmallRuns.of(
            RunConfig.defaults(),
            "environment.name=Pendulum-v1",
            "ppo.epochs=" + RunConfig.defaults().ppo().epochs(),
            "ppo.batchSize=16",
            "ppo.sequenceLength=4",
            "training.threads=2"),
        List.of(settings));
  }

  private AgentModel model(RunConfig config) {
    return new AgentModel(config, environments.observationSpace(), environments.actionSpace());
  }

  private Rollout rollout(RunConfig config, AgentModel model) {
    RolloutCollector.Options options =
        new RolloutCollector.Options(config.seed(), config.rollout().steps(), 4, 2, List.of());
    return new RolloutCollector(model.agent(), environments, workers, options).collect();
  }

  @Test
  @Requirement("EV-1")
  void shouldRepeatWhatWasSaidDuringCollectionWhileNothingWasLearnt() {
    RunConfig config = config("training.measuredShare=1");
    AgentModel model = model(config);
    RolloutPredictor predictor = new RolloutPredictor(config, model.agent(), workers);
    Rollout rollout = rollout(config, model);
    float[] parameters = model.parameters().values().clone();

    RolloutPredictions predictions = predictor.predict(rollout, 0);

    assertThat(model.parameters().values()).isEqualTo(parameters);
    assertThat(predictions.transitions()).hasSize(64).doesNotHaveDuplicates();
    assertThat(predictions.values())
        .containsExactly(predictions.pick(rollout.values()), within(1e-5));
    double[] logProbabilities = new double[64];
    Arrays.setAll(logProbabilities, i -> rollout.logProbabilities()[i]);
    assertThat(predictions.logProbabilities())
        .containsExactly(predictions.pick(logProbabilities), within(1e-4));
    assertThat(DoubleStream.of(predictions.gaps())).hasSize(64).anyMatch(gap -> gap > 0);
    assertThat(predictions.quantiles()).hasSize(64 * RolloutPredictions.LEVELS.size());
    for (int row = 0; row < 64; row++) {
      int first = row * RolloutPredictions.LEVELS.size();
      assertThat(Arrays.copyOfRange(predictions.quantiles(), first, first + 5))
          .isSorted()
          .doesNotHaveDuplicates();
    }
    RolloutPredictions.GaussianShift shift = predictions.shift().orElseThrow();
    assertThat(DoubleStream.of(shift.meanTerms()))
        .hasSize(64)
        .allMatch(term -> Math.abs(term) < 1e-6);
    assertThat(DoubleStream.of(shift.varianceTerms()))
        .hasSize(64)
        .allMatch(term -> Math.abs(term) < 1e-6);
    assertThat(DoubleStream.of(shift.distances())).hasSize(64).allMatch(z -> z >= 0 && z < 8.001);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 256", "0.75, 384", "0.01, 256", "1, 512"})
  void shouldMeasureShareOfTheWindowsAsTheWholeWouldBe(double share, int measured) {
    RunConfig config = config("rollout.steps=128", "training.measuredShare=" + share);
    AgentModel model = model(config);
    Rollout rollout = rollout(config, model);
    RunConfig whole = config("rollout.steps=128", "training.measuredShare=1");
    RolloutPredictions all =
        new RolloutPredictor(whole, model.agent(), workers).predict(rollout, 0);
    double[] values = new double[512];
    for (int row = 0; row < 512; row++) {
      values[all.transitions()[row]] = all.values()[row];
    }

    RolloutPredictions some =
        new RolloutPredictor(config, model.agent(), workers).predict(rollout, 0);

    assertThat(some.transitions()).hasSize(measured).doesNotHaveDuplicates();
    assertThat(some.values()).containsExactly(some.pick(values), within(1e-6));
  }

  @Test
  void shouldMeasureAllWhereExplainedVarianceSteersThePenalty() {
    RunConfig config =
        config("risk.mode=penalty", "rollout.steps=128", "risk.limit=-1", "risk.measure=returns");
    AgentModel model = model(config);
    RolloutPredictions predictions =
        new RolloutPredictor(config, model.agent(), workers).predict(rollout(config, model), 0);

    assertThat(predictions.transitions()).hasSize(512);
  }

  @Test
  void shouldMeasureAllWhereExplainedVarianceOpensTheClip() {
    RunConfig config =
        config(
            "rollout.steps=128",
            "critic.clip.mode=mean-only",
            "critic.clip.thresholdExplainedVariance=0.5");
    AgentModel model = model(config);
    RolloutPredictions predictions =
        new RolloutPredictor(config, model.agent(), workers).predict(rollout(config, model), 0);

    assertThat(predictions.transitions()).hasSize(512);
  }
}
