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
    assertThat(result.fileSuffix()).isEmpty();
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
    Market other =
        Market.onOtherBars(MARKET.config(), List.of(SampleBars.random(600, 8)), MARKET.scaler());
    assertThatThrownBy(() -> new MarketEvaluation(CONFIG, other, DataPart.VALIDATION, 1))
        .isInstanceOf(DataException.class);
  }
}
