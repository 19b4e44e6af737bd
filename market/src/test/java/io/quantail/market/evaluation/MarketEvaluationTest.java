package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.DataException;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.Agent;
import io.quantail.model.AgentModel;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EpisodeEvaluation;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.settings.YamlConfig;
import io.quantail.value.ReturnScale;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarketEvaluationTest {
  private static final RunConfig CONFIG =
      YamlConfig.parse(
          "market: {episode: {bars: 64}}",
          "run.yaml",
          List.of(
              "environment.name=Market-v0",
              "network.hidden=8",
              "environment.normalizeObservations=false"));
  private static final Market MARKET =
      Market.load(
          MarketProvider.settings(CONFIG),
          CONFIG.risk(),
          List.of(SampleBars.random(600, 8), SampleBars.random(700, 9)));

  private static Agent agent() {
    TradingEnvironment sample = MARKET.pass(0, SplitPart.TEST);
    return new AgentModel(CONFIG, sample.observationSize(), sample.actionSpace()).agent();
  }

  @Test
  void shouldBeTheProtocolOfRunsOnAMarket() {
    EvaluationProtocol protocol =
        EvaluationProtocol.of(CONFIG, MarketEnvironments.training(MARKET), DataPart.VALIDATION);
    assertThat(protocol)
        .isEqualTo(new MarketEvaluation(CONFIG, MARKET, DataPart.VALIDATION, CONFIG.seed()));
    assertThat(protocol.environments())
        .isEqualTo(MarketEnvironments.passes(MARKET, SplitPart.VALIDATION));
    assertThat(protocol.scoreDescription())
        .isEqualTo(
            "log of final over first equity on the validation bars (the test bars are unseen)");
  }

  /** One pass per symbol is what the episodes of the same environments are. */
  @Test
  void shouldScoreAsTheEpisodesOfItsPassesDo() {
    MarketEvaluation evaluation = new MarketEvaluation(CONFIG, MARKET, DataPart.TEST, 1);
    Agent agent = agent();
    MarketEvaluationResult result = evaluation.evaluate(agent, ReturnScale.IDENTITY);
    EpisodeEvaluation episodes =
        EpisodeEvaluation.of(
            CONFIG, evaluation.environments(), new EvaluationConfig(2, true, 10_000), 1);
    assertThat(result.score())
        .isCloseTo(episodes.evaluate(agent, ReturnScale.IDENTITY).score(), within(1e-12));
    assertThat(result.numbers().meanReturn()).isEqualTo(result.score());
    assertThat(result.numbers().split()).isEqualTo("test");
    assertThat(result.provenance().forecasts()).hasSize(2);
    assertThat(result.numbers().calibration()).as("gamma 0.99 needs 299 bars").isNull();
    assertThat(result.fileSuffix()).isEmpty();
  }

  /** The test bars are for the result alone: calibration is measured on the validation bars. */
  @Test
  void shouldMeasureCalibrationOnTheValidationBars() {
    RunConfig config = withGamma(0.8);
    Agent agent = agent();
    MarketCalibration afterTraining =
        new MarketEvaluation(config, MARKET, DataPart.TEST, 1)
            .evaluate(agent, ReturnScale.IDENTITY)
            .numbers()
            .calibration();
    MarketCalibration direct =
        new MarketEvaluation(config, MARKET, DataPart.VALIDATION, 1)
            .evaluate(agent, ReturnScale.IDENTITY)
            .numbers()
            .calibration();
    assertThat(afterTraining).isEqualTo(direct).isNotNull();
    int decisions = 0;
    for (int symbol = 0; symbol < 2; symbol++) {
      TradingEnvironment bars = MARKET.pass(symbol, SplitPart.VALIDATION);
      BacktestResult pass = Backtest.run(bars, "agent", new AgentTradingPolicy(agent));
      decisions += pass.series().size() - 13; // the horizon is 14 bars
    }
    assertThat(afterTraining.bars()).isEqualTo("validation");
    assertThat(afterTraining.measured().steps()).isEqualTo(decisions);
    assertThat(afterTraining.measured().independent())
        .isCloseTo(decisions * 0.2 / 1.8, within(1e-9));
    assertThat(afterTraining.text())
        .startsWith("on the validation bars: coverage 5 %: ")
        .endsWith(" independent, too few for a conclusion");
  }

  private static RunConfig withGamma(double gamma) {
    return YamlConfig.parse(
        YamlConfig.toYaml(CONFIG), "run.yaml", List.of("rollout.gamma=" + gamma));
  }

  @Test
  void shouldNameTheBarsInVerdictAndFiles() {
    MarketEvaluationResult test =
        new MarketEvaluation(CONFIG, MARKET, DataPart.TEST, 1)
            .evaluate(agent(), ReturnScale.IDENTITY);
    assertThat(test.verdict()).startsWith("Out of sample the agent ").contains("mean of 2 symbols");
    MarketEvaluationResult given = new MarketEvaluationResult(DataPart.DATA, test.symbols());
    assertThat(given.verdict()).startsWith("On these bars the agent ");
    assertThat(given.barsName()).isEqualTo("given");
    assertThat(given.fileSuffix()).isEqualTo("-data");
    assertThat(given.numbers().split()).isEqualTo("data");
    assertThat(given.provenance().seed()).isNull();
  }

  @Test
  void shouldRefuseTooFewBarsBeforeTraining() {
    Market other = MARKET.onOtherBars(List.of(SampleBars.random(600, 8)));
    assertThatThrownBy(() -> new MarketEvaluation(CONFIG, other, DataPart.VALIDATION, 1))
        .isInstanceOf(DataException.class);
  }
}
