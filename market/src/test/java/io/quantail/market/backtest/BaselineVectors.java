package io.quantail.market.backtest;

import io.quantail.market.SampleBars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.limits.TradingLimits;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.EpisodeSettings;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;
import io.quantail.market.trading.TrainingVolatility;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Baselines, bar by bar, through the account. */
public final class BaselineVectors implements VectorFamily {
  private static final TargetWeightMap LONG = new TargetWeightMap.Continuous(true, 1);

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("baselines_through_the_account", this::checkBaselines);
  }

  private void checkBaselines(VectorCase vector) {
    Instrument instrument = instrument(vector);
    int first = vector.integer("first_test_bar");
    TrainingVolatility training =
        TrainingVolatility.fit(
                List.of(instrument), List.of(new BarRange(0, first)), vector.number("alpha"))
            .orElseThrow();
    vector.expect("tail_multiple", training.tailMultiple());
    double mean = Arrays.stream(vector.doubles("agent_weights")).average().orElseThrow();
    double target = training.target(vector.number("limit")).orElseThrow();
    Map<String, TradingPolicy> policies =
        Map.of(
            "buy_and_hold", BaselinePolicies.buyAndHold(LONG),
            "exposure_matched", BaselinePolicies.constant(mean),
            "es_target", BaselinePolicies.volatilityTarget(target, 1),
            "sma", BaselinePolicies.movingAverage(vector.integer("sma_bars"), 1),
            "volatility_matched",
                BaselinePolicies.volatilityTarget(vector.number("agent_deviation"), 1));
    TradingRules rules =
        new TradingRules(LONG, costs(vector), TradingLimits.defaults(), EpisodeSettings.defaults());
    BarRange range = new BarRange(first - 1, instrument.bars().size());
    vector
        .expected("weights")
        .fieldNames()
        .forEachRemaining(
            name -> {
              BacktestResult result =
                  Backtest.run(
                      TradingEnvironment.pass(instrument, rules, range), name, policies.get(name));
              vector.compareWith(
                  name, vector.expected("weights").get(name), result.series().targets());
              vector.compareWith(
                  name, vector.expected("equity").get(name), result.series().equity());
              vector.compareWith(
                  name, vector.expected("held").get(name), result.series().exposures());
            });
  }

  private static Instrument instrument(VectorCase vector) {
    double[] opens = vector.doubles("opens");
    double[] closes = vector.doubles("closes");
    BarsBuilder bars = new BarsBuilder("X", SampleBars.HOUR);
    for (int t = 0; t < opens.length; t++) {
      double high = Math.max(opens[t], closes[t]);
      double low = Math.min(opens[t], closes[t]);
      bars.add(SampleBars.START + (t + 1) * SampleBars.HOUR, opens[t], high, low, closes[t], 1e9);
    }
    return SampleBars.instrument(bars.build());
  }

  private static ExecutionSettings costs(VectorCase vector) {
    return new ExecutionSettings(
        vector.number("taker_bps"),
        vector.number("half_spread_bps"),
        0,
        500,
        42,
        null,
        0,
        0,
        vector.number("min_rebalance"),
        0,
        1);
  }
}
