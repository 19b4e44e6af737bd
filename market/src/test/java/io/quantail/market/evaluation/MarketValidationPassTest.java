package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.Bars;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.ValidationPass;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;

@Requirement("VALID-1")
class MarketValidationPassTest {
  private static final RunConfig CONFIG = config();
  private static final List<Bars> BARS =
      List.of(SampleBars.random(600, 8), SampleBars.random(700, 9));

  private static RunConfig config(String... overrides) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "environment.name=Market-v0",
                "network.hidden=8",
                "environment.normalizeObservations=false",
                "risk.alpha=0.1"));
    all.addAll(List.of(overrides));
    return YamlConfig.parse("market: {episode: {bars: 64}}", "run.yaml", all);
  }

  private static Market market(RunConfig config) {
    return Market.load(MarketProvider.settings(config), config.risk(), BARS);
  }

  private static AgentModel model(RunConfig config, Market market) {
    TradingEnvironment sample = market.pass(0, SplitPart.TEST);
    return new AgentModel(config, sample.observationSpace(), sample.actionSpace());
  }

  private static ValidationPass pass(RunConfig config, Market market) {
    return new MarketEvaluationProvider().validation(config, MarketEnvironments.training(market));
  }

  private static Optional<ValidationSchedule> schedule(RunConfig config) {
    return ValidationSchedule.of(config, MarketEnvironments.training(market(config)));
  }

  @Test
  void shouldScoreAsTheEvaluationOnTheSameBarsDoes() {
    Market market = market(CONFIG);
    ActingModel agent = model(CONFIG, market).agent();
    double score =
        new MarketEvaluation(CONFIG, market, DataPart.VALIDATION, 1)
            .evaluate(agent, ReturnScale.IDENTITY)
            .score();
    Map<String, Double> metrics = pass(CONFIG, market).run(agent);
    assertThat(metrics).containsEntry("validation/return", score);
    assertThat(metrics.keySet()).allMatch(MetricCatalogue::contains);
  }

  /** Plain loops over the account of the same passes. */
  @Test
  void shouldMeasureReturnRiskExposureAndTrades() {
    Market market = market(CONFIG);
    ActingModel agent = model(CONFIG, market).agent();
    double sharpe = 0;
    double exposure = 0;
    double turnover = 0;
    double trades = 0;
    List<Double> bars = new ArrayList<>();
    for (int symbol = 0; symbol < 2; symbol++) {
      BacktestResult pass =
          Backtest.run(
              market.pass(symbol, SplitPart.VALIDATION), "agent", new AgentTradingPolicy(agent));
      int n = pass.series().size();
      double before = pass.initialEquity();
      double sum = 0;
      double squares = 0;
      double weights = 0;
      double traded = 0;
      for (int i = 0; i < n; i++) {
        double after = pass.series().equity()[i];
        bars.add(Math.log(after / before));
        sum += after / before - 1;
        squares += (after / before - 1) * (after / before - 1);
        weights += pass.series().exposures()[i];
        traded += pass.series().turnover()[i];
        before = after;
      }
      sharpe += sum / n / Math.sqrt((squares - sum * sum / n) / (n - 1)) / 2;
      exposure += weights / n / 2;
      turnover += traded / n / 2;
      trades += pass.trades().size() / 2.0;
    }
    Collections.sort(bars);
    int tail = (int) Math.ceil(0.1 * bars.size());
    double cvar = bars.subList(0, tail).stream().mapToDouble(x -> x).sum() / tail;

    Map<String, Double> metrics = pass(CONFIG, market).run(agent);
    assertThat(metrics)
        .hasSize(6)
        .hasEntrySatisfying("validation/sharpe", near(sharpe))
        .hasEntrySatisfying("validation/exposure", near(exposure))
        .hasEntrySatisfying("validation/turnover", near(turnover))
        .hasEntrySatisfying("validation/trades", near(trades))
        .hasEntrySatisfying("validation/cvar", near(cvar));
    assertThat(pass(CONFIG, market).decisions()).isEqualTo(bars.size());
  }

  private static Condition<Double> near(double expected) {
    return new Condition<>(
        value -> Math.abs(value - expected) <= 1e-12 + 1e-9 * Math.abs(expected),
        "near %s",
        expected);
  }

  @Test
  void shouldChangeNoBitOfTheAgentAndRepeatItself() {
    Market market = market(CONFIG);
    AgentModel model = model(CONFIG, market);
    float[] before = model.parameters().values().clone();
    ValidationPass pass = pass(CONFIG, market);
    Map<String, Double> first = pass.run(model.agent());
    assertThat(pass.run(model.agent())).isEqualTo(first);
    assertThat(Arrays.equals(model.parameters().values(), before)).isTrue();
  }

  /** The Sharpe ratio of an account that never trades is not defined. */
  @Test
  void shouldOmitASharpeRatioThatIsNotDefined() {
    RunConfig config = config("market.execution.minRebalance=1");
    Market market = market(config);
    Map<String, Double> metrics = pass(config, market).run(model(config, market).agent());
    assertThat(metrics)
        .containsEntry("validation/trades", 0.0)
        .containsEntry("validation/return", 0.0)
        .doesNotContainKey("validation/sharpe");
  }

  /** 64 decisions cost as much as an epoch of a transition, so that passes stay below 5 %. */
  @Test
  void shouldChooseTheIntervalFromCountsAlone() {
    long decisions = pass(CONFIG, market(CONFIG)).decisions();
    assertThat(decisions).isCloseTo((600 + 700) * 15 / 100, within(4L));
    // 16 environments, 128 steps, 10 epochs: ceil(64 · 195 / (2048 · 11)) = ceil(0.55)
    assertThat(schedule(CONFIG).orElseThrow().interval()).isEqualTo(1);
    RunConfig small =
        config(
            "environment.count=4",
            "rollout.steps=32",
            "ppo.epochs=2",
            "ppo.batchSize=64",
            "ppo.sequenceLength=16");
    long expected = (long) Math.ceil(64.0 * decisions / (4 * 32 * 3));
    assertThat(schedule(small).orElseThrow().interval()).isEqualTo(expected).isGreaterThan(30);
    assertThat(schedule(config("training.validationUpdates=7")).orElseThrow().interval())
        .isEqualTo(7);
    assertThat(schedule(config("training.validationUpdates=0"))).isEmpty();
  }

  @Test
  void shouldDoWithoutValidationBarsUnlessTheSettingsAskForThem() {
    assertThat(schedule(config("market.split.validation=0"))).isEmpty();
    assertRefused(
        "training.keep=best-validation",
        "training.keep best-validation needs validation passes, and market.split leaves no"
            + " validation bars of WALK8; set training.keep to last");
    assertRefused(
        "training.patience=3",
        "training.patience 3 needs validation passes, and market.split leaves no validation bars of"
            + " WALK8; set training.patience to null");
    assertRefused(
        "training.validationUpdates=5",
        "training.validationUpdates 5 needs validation passes, and market.split leaves no"
            + " validation bars of WALK8; leave it out");
  }

  private static void assertRefused(String setting, String message) {
    assertThatThrownBy(() -> schedule(config("market.split.validation=0", setting)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @Test
  void shouldRefuseTooFewValidationBars() {
    RunConfig config =
        config(
            "training.patience=2",
            "market.split.by=dates",
            "market.split.trainDates=2024-01-01T01:00:00Z/2024-01-02T00:00:00Z",
            "market.split.validationDates=2024-01-02T01:00:00Z/2024-01-02T02:00:00Z",
            "market.split.testDates=2024-01-02T03:00:00Z/2024-01-25T00:00:00Z",
            "market.episode.bars=2");
    Market market = market(config);
    assertThatThrownBy(() -> new MarketValidationPass(market, 0.05))
        .isInstanceOf(ConfigException.class)
        .hasMessage("the 2 validation bars of WALK8 are too few after the warm-up");
  }
}
