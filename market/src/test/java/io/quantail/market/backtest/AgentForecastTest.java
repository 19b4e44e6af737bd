package io.quantail.market.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.Step;
import io.quantail.market.Market;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.random.RandomStream;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writing down what is expected changes no decision, and gives what a signal gives. */
@Requirement("REP-1")
class AgentForecastTest {
  private static final ReturnScale SCALE = new ReturnScale(0.01, 0.2);

  @Test
  void shouldDecideAsBeforeAndExpectWhatSignalsSay() {
    RunConfig config =
        YamlConfig.parse(
            "market: {episode: {bars: 64}, action: {longOnly: false}}",
            "run.yaml",
            List.of(
                "network.hidden=8",
                "critic.twin=false",
                "environment.normalizeObservations=false"));
    Market market =
        Market.load(
            MarketProvider.settings(config), config.risk(), List.of(SampleBars.random(600, 8)));
    TradingEnvironment sample = market.pass(0, SplitPart.TEST);
    ActingModel agent =
        new AgentModel(config, sample.observationSpace(), sample.actionSpace()).agent();
    AgentTradingPolicy policy = AgentTradingPolicy.forecasting(agent, SCALE, config.risk());
    BacktestResult first = Backtest.run(market.pass(0, SplitPart.TEST), "agent", policy);
    BacktestResult second = Backtest.run(market.pass(0, SplitPart.TRAIN), "agent", policy);
    BacktestResult plain =
        Backtest.run(market.pass(0, SplitPart.TEST), "agent", new AgentTradingPolicy(agent));
    assertThat(first.series().targets()).containsExactly(plain.series().targets());

    List<ForecastSeries> forecasts = policy.forecasts();
    assertThat(forecasts).hasSize(2);
    assertThat(forecasts.get(1).size()).isEqualTo(second.series().size());
    ForecastSeries forecast = forecasts.get(0);
    List<ReturnPrediction> outlooks = outlooks(sample, new AgentTradingPolicy(agent), config);
    assertThat(forecast.size()).isEqualTo(outlooks.size()).isEqualTo(plain.series().size());
    assertThat(forecast.stride()).isEqualTo(1);
    Critic critic = forecast.critic();
    for (int step = 0; step < outlooks.size(); step++) {
      ReturnPrediction outlook = outlooks.get(step);
      float[] outputs = forecast.outputs()[step];
      critic.read(outputs, 0);
      assertThat(SCALE.denormalize(critic.mean(outputs, 0)))
          .isCloseTo(outlook.mean(), within(1e-7));
      assertThat(SCALE.denormalize(critic.cvar(config.risk().alpha(), config.risk().method())))
          .isCloseTo(outlook.cvar(), within(1e-7));
      for (int i = 0; i < ReturnPrediction.LEVELS.size(); i++) {
        assertThat(SCALE.denormalize(critic.quantile(ReturnPrediction.LEVELS.get(i))))
            .isCloseTo(outlook.quantiles()[i], within(1e-7));
      }
    }
  }

  private static List<ReturnPrediction> outlooks(
      TradingEnvironment environment, AgentTradingPolicy policy, RunConfig config) {
    List<ReturnPrediction> outlooks = new ArrayList<>();
    float[] observation = environment.reset(RandomStream.of(0, "backtest", 0));
    Step step;
    do {
      AgentTradingPolicy.Decision decision = policy.decide(observation, SCALE, config.risk());
      outlooks.add(decision.outlook());
      step = environment.step(Action.of(environment.actionSpace(), decision.action()));
      observation = step.observation();
    } while (!step.done());
    return outlooks;
  }

  /** Some 45,000 decisions: beyond the most that is kept, twice. */
  @Test
  void shouldThinLongPasses() {
    RunConfig config =
        YamlConfig.parse(
            "market: {episode: {bars: 64}}",
            "run.yaml",
            List.of(
                "network.hidden=4",
                "critic.quantiles=4",
                "environment.normalizeObservations=false"));
    Market market =
        Market.load(
            MarketProvider.settings(config), config.risk(), List.of(SampleBars.random(600, 8)));
    TradingEnvironment sample = market.pass(0, SplitPart.TEST);
    ActingModel agent =
        new AgentModel(config, sample.observationSpace(), sample.actionSpace()).agent();
    AgentTradingPolicy policy = AgentTradingPolicy.forecasting(agent, SCALE, config.risk());
    policy.begin();
    float[] observation = sample.reset(RandomStream.of(0, "backtest", 0)).clone();
    for (int decision = 0; decision < 45_000; decision++) {
      policy.act(observation);
    }
    ForecastSeries kept = policy.forecasts().get(0);
    assertThat(kept.size()).isEqualTo(11_250);
    assertThat(kept.stride()).isEqualTo(4);
  }
}
