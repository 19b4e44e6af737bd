package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.SplitPart;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("EVID-1")
class BaselineComparisonTest {
  private static final Bars BARS = SampleBars.random(900, 8);

  private static Market market(String... overrides) {
    RunConfig config =
        YamlConfig.parse("market: {episode: {bars: 64}}", "run.yaml", List.of(overrides));
    return Market.load(MarketProvider.settings(config), config.risk(), List.of(BARS));
  }

  private static BaselineComparison compare(Market market) {
    TradingPolicy agent = BaselinePolicies.random(market.rules().actions(), 5);
    return BaselineComparison.of(market, SplitPart.TEST, agent, 1).get(0);
  }

  private static double[] targets(BaselineComparison comparison, String policy) {
    return comparison.entry(policy).result().series().targets();
  }

  @Test
  void shouldNameTheBaselinesAndThoseOfHindsight() {
    assertThat(compare(market("risk.limit=-0.01")).entries())
        .extracting(entry -> BaselineComparison.title(entry.result().policy()))
        .containsExactly(
            "agent",
            "buy-and-hold",
            "agent's mean weight (hindsight)",
            "expected-shortfall target",
            "200-bar average",
            "agent's volatility (hindsight)",
            "flat",
            "random");
    assertThat(compare(market()).entries())
        .extracting(entry -> entry.result().policy())
        .filteredOn(BaselineComparison::isHindsight)
        .containsExactly("exposureMatched", "volatilityMatched");
  }

  @Test
  void shouldLeaveTheShortfallTargetOutWithoutALimitOnBars() {
    assertThat(compare(market()).has(BaselineComparison.ES_TARGET)).isFalse();
    assertThat(
            compare(market("risk.limit=-0.3", "risk.measure=episodes"))
                .has(BaselineComparison.ES_TARGET))
        .isFalse();
  }

  @Test
  void shouldOrderTheWeightsOfEachRule() {
    Market market = market("risk.limit=-0.01");
    BaselineComparison comparison = compare(market);
    BacktestResult agent = comparison.agent().result();
    double mean = Arrays.stream(agent.series().exposures()).average().orElseThrow();
    for (double weight : targets(comparison, BaselineComparison.EXPOSURE_MATCHED)) {
      assertThat(weight).isCloseTo(mean, within(1e-12));
    }
    assertThat(targets(comparison, BaselineComparison.BUY_AND_HOLD)).containsOnly(1);
    assertThat(targets(comparison, BaselineComparison.FLAT)).containsOnly(0);

    BarRange range = market.pass(0, SplitPart.TEST).range();
    double[] volatility = market.instruments().get(0).volatility();
    double multiple = market.volatility().orElseThrow().tailMultiple();
    double[] logs = agent.logReturns();
    double center = Arrays.stream(logs).average().orElseThrow();
    double deviation =
        Math.sqrt(
            Arrays.stream(logs).map(x -> (x - center) * (x - center)).sum() / (logs.length - 1));
    double[] es = targets(comparison, BaselineComparison.ES_TARGET);
    double[] matched = targets(comparison, BaselineComparison.VOLATILITY_MATCHED);
    double[] average = targets(comparison, BaselineComparison.MOVING_AVERAGE);
    int invested = 0;
    for (int i = 0; i < es.length; i++) {
      int t = range.from() + i;
      assertThat(es[i]).isCloseTo(Math.min(1, 0.01 / (multiple * volatility[t])), within(1e-12));
      assertThat(matched[i]).isCloseTo(Math.min(1, deviation / volatility[t]), within(1e-9));
      double sum = 0;
      for (int k = t - 199; k <= t; k++) {
        sum += BARS.close(k);
      }
      assertThat(average[i]).isEqualTo(BARS.close(t) > sum / 200 ? 1 : 0);
      invested += (int) average[i];
    }
    assertThat(invested).isBetween(1, es.length - 1);
  }

  /** Every series has a return for each bar, for tests that pair an agent with a baseline. */
  @Test
  void shouldGiveLogReturnsOfEqualLength() {
    BaselineComparison comparison = compare(market("risk.limit=-0.01"));
    assertThat(comparison.entries())
        .extracting(entry -> entry.result().logReturns().length)
        .containsOnly(comparison.agent().result().series().size());
  }

  @Test
  void shouldHoldPlainWeightsWhenTheAgentTradesInRiskUnitsOrLevels() {
    for (String action :
        List.of("market.action.unit=risk", "market.action={kind: levels, levels: [0.5, 0.7]}")) {
      BaselineComparison comparison = compare(market(action, "risk.limit=-0.001"));
      assertThat(targets(comparison, BaselineComparison.FLAT)).containsOnly(0);
      double[] held = targets(comparison, BaselineComparison.BUY_AND_HOLD);
      assertThat(held).containsOnly(action.contains("levels") ? 0.7 : 1);
    }
  }

  @Test
  void shouldBeFlatWhileAnAverageOrAVolatilityIsNotKnown() {
    Market market = market("market.features.names=[range]");
    Market early = market.onOtherBars(List.of(BARS));
    BaselineComparison comparison = compare(early);
    double[] average = targets(comparison, BaselineComparison.MOVING_AVERAGE);
    assertThat(Arrays.copyOf(average, 198)).containsOnly(0); // bars 1 to 198
    assertThat(Arrays.stream(average).max()).hasValue(1);
    double[] matched = targets(comparison, BaselineComparison.VOLATILITY_MATCHED);
    assertThat(Arrays.copyOf(matched, 4)).containsOnly(0); // bars 1 to 4
    assertThat(matched[4]).isPositive();
  }
}
