package io.quantail.market.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.train.EvaluationSummary;
import io.quantail.train.Evaluator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An agent trades in a back-test as it does in the evaluator, and the same twice. */
@Requirement("EPI-2")
class AgentTradingPolicyTest {
  @Test
  void shouldTradeAsInTheEvaluatorAndForgetBetweenPasses() {
    RunConfig config =
        YamlConfig.parse(
            "market: {episode: {bars: 64}, action: {longOnly: false}}",
            "run.yaml",
            List.of("network.hidden=8", "environment.normalizeObservations=false"));
    Market market =
        Market.load(
            MarketProvider.settings(config), config.risk(), List.of(SampleBars.random(600, 8)));
    TradingEnvironment environment = market.pass(0, SplitPart.TEST);
    ActingModel agent =
        new AgentModel(config, environment.observationSpace(), environment.actionSpace()).agent();
    AgentTradingPolicy policy = new AgentTradingPolicy(agent);
    BacktestResult first = Backtest.run(environment, "agent", policy);
    BacktestResult second = Backtest.run(market.pass(0, SplitPart.TEST), "agent", policy);
    assertThat(second.series().targets()).containsExactly(first.series().targets());
    assertThat(first.series().targets()).hasSize(market.folds().get(0).test().size() - 1);
    assertThat(second.series().equity()).containsExactly(first.series().equity());
    EvaluationSummary evaluation =
        Evaluator.evaluate(
            agent,
            index -> market.pass(0, SplitPart.TEST),
            new EvaluationConfig(1, true, 10_000),
            1);
    double last = first.series().equity()[first.series().size() - 1];
    assertThat(first.trades()).isNotEmpty();
    assertThat(evaluation.meanReturn()).isCloseTo(Math.log(last / 10_000), within(1e-12));
  }
}
