package io.quantail.market.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ReturnPrediction;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.SplitPart;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.value.ReturnScale;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A signal is the decision that a back-test has at that bar. */
@Requirement("SIG-1")
class TradingSignalTest {
  private static final Bars BARS = SampleBars.random(500, 8);
  private static final ReturnScale SCALE = new ReturnScale(0.25, 2);

  private final RunConfig config =
      YamlConfig.parse(
          "market: {episode: {bars: 64}, action: {longOnly: false, unit: risk},"
              + " risk: {dailyLossStop: 0.0002}}\nrisk: {limit: -0.01}",
          "run.yaml",
          List.of("network.hidden=8", "environment.normalizeObservations=false"));
  private final MarketConfig settings = MarketProvider.settings(config);
  private final Market market = Market.load(settings, config.risk(), List.of(BARS));
  private final ActingModel agent =
      new AgentModel(
              config,
              market.pass(0, SplitPart.TEST).observationSpace(),
              market.pass(0, SplitPart.TEST).actionSpace())
          .agent();
  private final AgentTradingPolicy policy = new AgentTradingPolicy(agent);

  @Test
  void shouldEqualTheBacktestBarByBarOverTheTestSplit() {
    BarRange test = market.folds().get(0).test();
    BacktestResult backtest = Backtest.run(market.pass(0, SplitPart.TEST), "agent", policy);
    double[] expected = backtest.series().targets();
    assertThat(backtest.risk().dailyLossStops()).as("limits must have acted").isPositive();

    double[] signals = new double[expected.length];
    for (int i = 0; i < signals.length; i++) {
      signals[i] = signal(test.from() + i + 1, BARS.time(test.from())).targetWeight();
    }

    assertThat(signals).containsExactly(expected);
  }

  @Test
  void shouldEqualTheBacktestOverAllBars() {
    Market all = market.onOtherBars(List.of(BARS));
    BacktestResult backtest = Backtest.run(all.pass(0, SplitPart.TEST), "agent", policy);
    int warmup = settings.features().spec().warmupBars();
    for (int i : new int[] {0, 1, 17, 300, backtest.series().size() - 1}) {
      TradingSignal signal = signal(warmup + i, Long.MIN_VALUE);
      assertThat(signal.targetWeight()).isEqualTo(backtest.series().targets()[i]);
      assertThat(signal.time()).isEqualTo(BARS.time(warmup + i - 1));
      assertThat(signal.expires()).isEqualTo(BARS.time(warmup + i));
      assertThat(signal.currentWeight())
          .isEqualTo(i == 0 ? 0 : backtest.series().exposures()[i - 1]);
    }
  }

  @Test
  void shouldGiveTheSameSignalTwice() {
    TradingSignal first = signal(300, Long.MIN_VALUE);
    TradingSignal second = signal(300, Long.MIN_VALUE);
    assertThat(second).usingRecursiveComparison().isEqualTo(first);
  }

  /** Quantiles grow with their level; in raw units a scale's mean is where 0 was. */
  @Test
  void shouldCarryTheDistributionInRawUnits() {
    ReturnPrediction raw = signal(300, Long.MIN_VALUE).outlook();
    ReturnPrediction normalized = signal(300, Long.MIN_VALUE, ReturnScale.IDENTITY).outlook();
    assertThat(raw.quantiles()).isSorted().hasSize(ReturnPrediction.LEVELS.size());
    assertThat(raw.cvar()).isLessThanOrEqualTo(raw.quantiles()[1]).isLessThan(raw.mean());
    assertThat(raw.mean()).isCloseTo(0.25 + 2 * normalized.mean(), within(1e-12));
    assertThat(raw.cvar()).isCloseTo(0.25 + 2 * normalized.cvar(), within(1e-12));
    assertThat(raw.alpha()).isEqualTo(config.risk().alpha());
  }

  @Test
  void shouldRefuseFewerBarsThanTheWarmup() {
    int warmup = settings.features().spec().warmupBars();
    assertThatThrownBy(() -> signal(warmup - 1, Long.MIN_VALUE))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("are for the warm-up), a decision needs 1");
  }

  @Test
  void shouldRefuseToBeginAfterTheLastBar() {
    assertThatThrownBy(() -> signal(300, BARS.time(300)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("has no bar at or after");
  }

  private TradingSignal signal(int bars, long since) {
    return signal(bars, since, SCALE);
  }

  private TradingSignal signal(int bars, long since, ReturnScale scale) {
    Market seen = market.onOtherBars(List.of(BARS.slice(0, bars)));
    return TradingSignal.of(seen, 0, since, policy, scale, config.risk(), null);
  }
}
