package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketPass;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.split.SplitPart;
import io.quantail.market.stress.StressResult;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.AgentModel;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.value.ReturnScale;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two symbols; the second begins in the validation bars and joins in the test. */
@Requirement("SPLIT-1")
class JoiningSymbolTest {
  private static final int JOIN = 150;
  private static final RunConfig CONFIG =
      YamlConfig.parse(
          """
          market:
            episode: {bars: 64}
            split:
              by: dates
              trainDates: 2024-01-01/2024-01-14
              validationDates: 2024-01-15/2024-01-19
              testDates: 2024-01-20/2024-01-25
              joinBars: %d
          """
              .formatted(JOIN),
          "run.yaml",
          List.of(
              "environment.name=Market-v0",
              "environment.normalizeObservations=false",
              "network.hidden=8",
              "risk.limit=-0.02"));
  private static final Bars FIRST = SampleBars.random(600, 8);
  private static final Bars SECOND = SampleBars.random(600, 9).slice(350, 600);
  private static final Market MARKET =
      Market.load(MarketProvider.settings(CONFIG), CONFIG.risk(), List.of(FIRST, SECOND));

  private static MarketEvaluationResult evaluate(Market market, DataPart part) {
    TradingEnvironment sample = market.pass(0, SplitPart.TEST);
    AgentModel agent = new AgentModel(CONFIG, sample.observationSpace(), sample.actionSpace());
    return new MarketEvaluation(CONFIG, market, part, 1)
        .evaluate(agent.agent(), ReturnScale.IDENTITY);
  }

  @Test
  void shouldTrainOnTheSymbolsThatAreThere() {
    for (int k = 0; k < 3; k++) {
      TradingEnvironment environment =
          (TradingEnvironment) MarketEnvironments.training(MARKET).create(k);
      assertThat(environment.instrument().symbol()).isEqualTo("WALK8");
    }
    Market alone = Market.load(MarketProvider.settings(CONFIG), CONFIG.risk(), List.of(FIRST));
    assertThat(MARKET.scaler()).isEqualTo(alone.scaler());
    assertThat(MARKET.volatility()).isEqualTo(alone.volatility());
    assertThat(MARKET.passes(SplitPart.TRAIN)).extracting(MarketPass::name).containsOnly("WALK8");
    assertThat(MarketEnvironments.passes(MARKET, SplitPart.VALIDATION).differentEpisodes())
        .hasValue(1);
    assertThat(new MarketValidationPass(MARKET, 0.05).decisions()).isEqualTo(119);
    assertThatThrownBy(
            () -> Market.load(MarketProvider.settings(CONFIG), CONFIG.risk(), List.of(SECOND)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("no symbol has training bars");
  }

  @Test
  void shouldTradeTheSymbolFromItsBarOn() {
    MarketEvaluationResult result = evaluate(MARKET, DataPart.TEST);
    BacktestResult joined = result.symbols().get(1).agent().result();
    assertThat(joined.start().time()).isEqualTo(SECOND.time(JOIN - 1));
    assertThat(result.provenance().fingerprints())
        .containsExactly(FIRST.fingerprint(), SECOND.fingerprint());
    assertThat(result.stress()).extracting(StressResult::symbol).containsExactly("WALK8", "WALK9");
    CombinedAccount account = result.evidence().agent();
    BacktestResult first = result.symbols().get(0).agent().result();
    assertThat(account.times()).containsExactly(first.series().times());
    int bar = 20; // before the second symbol joins: its half is cash
    assertThat(account.times()[bar]).isLessThan(joined.start().time());
    assertThat(account.equity()[bar])
        .isEqualTo(0.5 + 0.5 * first.series().equity()[bar] / first.initialEquity());
    assertThat(result.limit().judged().symbols()).containsOnlyKeys("WALK8", "WALK9");
    assertThat(result.limit().parts().get(0).symbols()).as("training").isEmpty();
    assertThat(result.provenance().trial().entry().bars()).isEqualTo(account.times().length);
  }

  @Test
  void shouldLeaveTheSymbolOutBefore() {
    MarketEvaluationResult result = evaluate(MARKET, DataPart.VALIDATION);
    assertThat(result.symbols()).extracting(BaselineComparison::symbol).containsExactly("WALK8");
    assertThat(result.provenance().fingerprints()).containsExactly(FIRST.fingerprint());
    // The days of the ledger are those of the symbol that was traded, wherever it stands.
    Market turned =
        Market.load(MarketProvider.settings(CONFIG), CONFIG.risk(), List.of(SECOND, FIRST));
    assertThat(new MarketEvaluation(CONFIG, turned, DataPart.VALIDATION, 1).environments())
        .isNotNull();
    assertThat(evaluate(turned, DataPart.VALIDATION).provenance().trial().entry().days())
        .isEqualTo(result.provenance().trial().entry().days());
  }
}
