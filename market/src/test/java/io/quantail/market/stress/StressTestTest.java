package io.quantail.market.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.AgentModel;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("EVID-1")
class StressTestTest {
  private static final Bars BARS = SampleBars.random(500, 8);
  private static final StressPath CRASH =
      new StressPath("crash", "a crash", "test", -0.05, 0.02, -0.2, 0.1, 0.03);

  private static RunConfig config(String... overrides) {
    return YamlConfig.parse(
        "market: {episode: {bars: 64}, action: {longOnly: false, unit: risk}}",
        "run.yaml",
        List.of(overrides));
  }

  private static Market market(RunConfig config) {
    return Market.load(MarketProvider.settings(config), config.risk(), List.of(BARS));
  }

  @Test
  void shouldShipPathsOfThreeCrises() {
    List<StressPath> paths = StressPath.shipped();
    assertThat(paths)
        .extracting(StressPath::name)
        .containsExactly("october-1987", "autumn-2008", "august-2011");
    assertThat(paths)
        .extracting(StressPath::source)
        .containsOnly("great_tables 1.1.0, great_tables/data/04-sp500.csv");
    assertThat(paths).extracting(path -> path.logReturns().length).containsExactly(22, 63, 23);
    // Monday, 19 October 1987: from 282.70 to 224.84
    assertThat(Arrays.stream(paths.get(0).logReturns()).min().orElseThrow())
        .isCloseTo(Math.log(224.84 / 282.70), within(1e-4));
    // from 1282.83 at the end of August to 896.24 at the end of November 2008
    assertThat(Arrays.stream(paths.get(1).logReturns()).sum())
        .isCloseTo(Math.log(896.24 / 1282.83), within(1e-4));
  }

  @Test
  void shouldAppendBarsWithMediansAndLastExtras() {
    Bars bars = StressBars.append(BARS, new double[] {-0.1, 0.05}, 3);
    assertThat(bars.size()).isEqualTo(502);
    assertThat(bars.slice(0, 500).fingerprint()).isEqualTo(BARS.fingerprint());
    double[] volumes = {BARS.volume(497), BARS.volume(498), BARS.volume(499)};
    Arrays.sort(volumes);
    double[] quotes = {BARS.quoteVolume(497), BARS.quoteVolume(498), BARS.quoteVolume(499)};
    Arrays.sort(quotes);
    assertThat(bars.volume(500)).isEqualTo(volumes[1]);
    assertThat(bars.volume(501)).isEqualTo(volumes[1]);
    assertThat(bars.quoteVolume(500)).isCloseTo(quotes[1] * Math.exp(-0.1), within(1e-6));
    assertThat(bars.open(500)).isEqualTo(BARS.close(499));
    assertThat(bars.low(500)).isEqualTo(bars.close(500));
    assertThat(bars.high(501)).isEqualTo(bars.close(501));
    assertThat(bars.time(501)).isEqualTo(BARS.time(499) + 2 * SampleBars.HOUR);
    assertThat(bars.extra("x_mood", 501)).isEqualTo(BARS.extra("x_mood", 499));
    Bars paying =
        new BarsBuilder("X", 1, List.of(), List.of("x_dividend"), 1)
            .add(1, 5, 5, 5, 5, 5, 0.3)
            .build();
    assertThat(StressBars.append(paying, new double[] {0}, 42).extra("x_dividend", 1)).isZero();
  }

  /** The decisions on the path are those of a back-test on the same bars. */
  @Test
  void shouldDecideOnEachBarOfThePath() {
    RunConfig config =
        config("network.hidden=8", "environment.normalizeObservations=false", "risk.limit=-0.02");
    Market market = market(config);
    TradingEnvironment sample = market.pass(0, SplitPart.TEST);
    AgentTradingPolicy agent =
        new AgentTradingPolicy(
            new AgentModel(config, sample.observationSpace(), sample.actionSpace()).agent());
    BarRange range = new BarRange(400, 480);
    StressTest.Replay replay = StressTest.replay(market, 0, range, agent, CRASH).orElseThrow();
    Bars bars =
        StressBars.append(
            BARS.slice(0, 480), CRASH.logReturns(), market.config().execution().volumeBars());
    BacktestResult whole =
        Backtest.run(
            market.onOtherBars(List.of(bars)).pass(0, new BarRange(400, 485)), "agent", agent);
    double[] equity = whole.series().equity();
    assertThat(equity).hasSize(84);
    assertThat(replay.weight()).isEqualTo(whole.series().exposures()[78]).isNotZero();
    assertThat(replay.agent().totalReturn()).isEqualTo(equity[83] / equity[78] - 1);
    double worst = 0;
    for (int i = 79; i < 84; i++) {
      worst = Math.min(worst, Math.log(equity[i] / equity[i - 1]));
    }
    assertThat(replay.agent().worstBar()).isCloseTo(worst, within(1e-15));
    assertThat(replay.agent().ended()).isFalse();
    double sum = Math.expm1(-0.1);
    assertThat(replay.held().totalReturn()).isCloseTo(replay.weight() * sum, within(1e-12));
  }

  @Test
  void shouldReduceThePositionInRiskUnits() {
    Market market = market(config("risk.limit=-0.004"));
    BarRange range = new BarRange(400, 480);
    StressTest.Replay plain =
        StressTest.replay(market, 0, range, BaselinePolicies.constant(0.5), CRASH).orElseThrow();
    double budget = market.rules().units().budget();
    StressTest.Replay scaled =
        StressTest.replay(market, 0, range, BaselinePolicies.volatilityTarget(budget, 0.5), CRASH)
            .orElseThrow();
    assertThat(scaled.agent().maxDrawdown()).isLessThan(0.5 * plain.agent().maxDrawdown());
  }

  @Test
  void shouldSayThatTheAccountEnded() {
    RunConfig config = config("market.episode.maxDrawdown=0.1");
    Market market = market(config);
    BarRange range = new BarRange(400, 480);
    StressTest.Replay replay =
        StressTest.replay(market, 0, range, BaselinePolicies.constant(0.6), CRASH).orElseThrow();
    assertThat(replay.agent().ended()).isTrue();
    assertThat(replay.held().ended()).isFalse();
    StressPath boom = new StressPath("boom", "a boom", "test", 0.8, 0.4);
    StressTest.Replay squeezed =
        StressTest.replay(market, 0, new BarRange(475, 480), BaselinePolicies.constant(-1), boom)
            .orElseThrow();
    assertThat(squeezed.held().ended()).isTrue();
    Market strict = market(config("market.episode.maxDrawdown=0.0001"));
    assertThat(StressTest.replay(strict, 0, range, BaselinePolicies.constant(1), CRASH)).isEmpty();
  }

  @Test
  void shouldTradeWithDoubledVolatility() {
    Market market = market(config());
    BarRange range = new BarRange(100, 300);
    StressOutcome once = StressTest.volatility(market, 0, range, BaselinePolicies.constant(0.5), 1);
    StressOutcome twice =
        StressTest.volatility(market, 0, range, BaselinePolicies.constant(0.5), 2);
    BacktestResult plain = Backtest.run(market.pass(0, range), "x", BaselinePolicies.constant(0.5));
    double[] equity = plain.series().equity();
    assertThat(once.totalReturn())
        .isCloseTo(equity[equity.length - 1] / plain.initialEquity() - 1, within(1e-9));
    assertThat(twice.worstBar()).isLessThan(1.8 * once.worstBar());
    assertThat(twice.maxDrawdown()).isGreaterThan(once.maxDrawdown());
  }
}
