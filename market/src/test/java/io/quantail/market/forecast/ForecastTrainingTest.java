package io.quantail.market.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.metrics.MetricRow;
import io.quantail.run.settings.YamlConfig;
import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.train.Trainer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

@Requirement("EVID-9")
class ForecastTrainingTest {
  private record Trained(List<Map<String, Double>> rows, Map<String, StateArray> state) {}

  private static RunConfig config(String... overrides) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "environment.name=Market-v0",
                "environment.count=4",
                "environment.normalizeObservations=false",
                "network.hidden=8",
                "rollout.steps=32",
                "ppo.batchSize=32",
                "ppo.sequenceLength=8",
                "market.action.longOnly=false",
                "training.steps=512"));
    all.addAll(List.of(overrides));
    return YamlConfig.parse("market: {episode: {bars: 40}}", "run.yaml", all);
  }

  private static MarketEnvironments environments(RunConfig config) {
    return MarketEnvironments.training(
        Market.load(
            MarketProvider.settings(config),
            config.risk(),
            List.of(SampleBars.random(500, 1), SampleBars.random(400, 2))));
  }

  private static Trained train(RunConfig config) {
    try (Trainer trainer = new Trainer(config, environments(config))) {
      List<Map<String, Double>> rows = new ArrayList<>();
      while (!trainer.finished()) {
        rows.add(values(trainer.iterate()));
      }
      trainer.complete();
      return new Trained(rows, state(trainer));
    }
  }

  private static Map<String, Double> values(MetricRow row) {
    Map<String, Double> values = new TreeMap<>(row.values());
    values.keySet().removeIf(name -> name.startsWith("time/"));
    return values;
  }

  private static Map<String, StateArray> state(Trainer trainer) {
    StateMap state = new StateMap();
    trainer.save(state);
    return state.entries();
  }

  @Test
  void shouldChangeNoBitOfTheAgent() {
    Trained with = train(config());
    Trained without = train(config("market.forecast.enabled=false"));
    assertThat(with.rows()).isEqualTo(without.rows());
    Map<String, StateArray> agent = new LinkedHashMap<>(with.state());
    assertThat(agent.keySet().removeIf(name -> name.startsWith("forecast/"))).isTrue();
    assertThat(agent).isEqualTo(without.state());
  }

  @Test
  void shouldNotDependOnTheNumberOfThreads() {
    assertThat(train(config("training.threads=1")).state())
        .isEqualTo(train(config("training.threads=3")).state());
  }

  @Test
  void shouldContinueBitForBitAlsoAfterItWasComplete() {
    RunConfig config = config();
    Trained whole = train(config);
    StateMap middle = new StateMap();
    try (Trainer trainer = new Trainer(config, environments(config))) {
      trainer.iterate();
      trainer.iterate();
      trainer.complete(); // as if training.steps had been less
      trainer.save(middle);
    }
    try (Trainer trainer = new Trainer(config, environments(config))) {
      assertThat(trainer.load(middle)).isTrue();
      assertThat(state(trainer)).as("nothing is lost").isEqualTo(middle.entries());
      while (!trainer.finished()) {
        trainer.iterate();
        assertThat(state(trainer).keySet())
            .as("a forecaster of an earlier policy")
            .noneMatch(name -> name.startsWith("forecast/complete/"));
      }
      trainer.complete();
      assertThat(state(trainer)).isEqualTo(whole.state());
    }
  }

  @Test
  void shouldRestoreWhatItLearnt() {
    RunConfig config = config();
    MarketEnvironments environments = environments(config);
    try (Trainer trainer = new Trainer(config, environments)) {
      trainer.iterate();
      StateMap early = trainer.observed();
      trainer.complete();
      StateMap late = trainer.observed();
      Market market = environments.market();
      ForecastRow row = new ForecastRow(new float[market(market)], 0.01, 0, false);
      double[] read =
          List.of(early, late, new StateMap()).stream()
              .map(state -> NextBarForecaster.restored(market, state))
              .mapToDouble(
                  forecaster ->
                      forecaster.map(one -> one.forecast(row).quantile(0.05)).orElse(Double.NaN))
              .toArray();
      assertThat(read[0]).isNotEqualTo(read[1]).isNegative();
      assertThat(read[2]).as("a run without a forecast").isNaN();
    }
  }

  private static int market(Market market) {
    return io.quantail.market.trading.TradingEnvironment.observationSize(
            market.instruments().get(0))
        + 1;
  }
}
