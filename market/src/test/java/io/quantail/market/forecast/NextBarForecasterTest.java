package io.quantail.market.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.evidence.QuantileForecast;
import io.quantail.market.Market;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.data.Bars;
import io.quantail.market.split.SplitPart;
import io.quantail.market.synthetic.MarketModel;
import io.quantail.market.synthetic.SyntheticMarketGenerator;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.math.StandardNormal;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

class NextBarForecasterTest {
  private static final RunConfig CONFIG =
      YamlConfig.parse(
          "market: {episode: {bars: 64}}",
          "run.yaml",
          List.of("environment.name=Market-v0", "market.split={train: 0.6, validation: 0}"));

  private static Market market(Bars bars) {
    return Market.load(MarketProvider.settings(CONFIG), RiskConfig.defaults(), List.of(bars));
  }

  private static List<ForecastRow> rows(Market market, SplitPart part) {
    RowRecorder recorder = new RowRecorder(BaselinePolicies.random(market.rules().actions(), 3));
    Backtest.run(market.pass(0, part), "random", recorder);
    return recorder.passes().get(0);
  }

  @Test
  void shouldBeRiskMetricsBeforeTraining() {
    NextBarForecaster forecaster = new NextBarForecaster(2, 32, 1);
    ForecastRow row =
        new ForecastRow(new float[] {0.3f, -2, 0.5f}, ForecastRow.unit(0.02, -0.5), 0, false);
    QuantileForecast forecast = forecaster.forecast(row);
    assertThat(row.unit()).isEqualTo(0.01);
    for (double level : NextBarForecaster.levels()) {
      assertThat(forecast.quantile(level))
          .isCloseTo(0.01 * StandardNormal.quantile(level), within(1e-9));
    }
  }

  @Test
  void shouldScaleByAWeightOfAtLeastOnePercent() {
    assertThat(ForecastRow.unit(0.02, 0)).isCloseTo(0.0002, within(1e-15));
    assertThat(ForecastRow.unit(0.02, -1)).isEqualTo(0.02);
    assertThat(new ForecastRow(new float[1], Double.NaN, 0.1, false).usable()).isFalse();
    assertThat(new ForecastRow(new float[1], 0, 0.1, false).usable()).isFalse();
    assertThat(new ForecastRow(new float[1], 1, 0, true).usable()).isFalse();
  }

  /** Every row is what the account says: ordered weight, volatility, return, and no position. */
  @Test
  void shouldRecordWhatWasOrderedAndWhatFollowed() {
    Market market = market(SampleBars.random(600, 5));
    List<ForecastRow> rows = rows(market, SplitPart.TEST);
    TradingEnvironment account = market.pass(0, SplitPart.TEST);
    float[] observation = account.reset(io.quantail.random.RandomStream.of(0, "backtest", 0));
    var policy = BaselinePolicies.random(market.rules().actions(), 3);
    policy.begin();
    for (ForecastRow row : rows) {
      float[] seen = observation.clone();
      int bar = account.bar();
      double held = account.account().exposure(bar);
      double before = account.account().equity();
      observation = account.trade(policy.weight(account, observation)).observation();
      double smallest = market.rules().execution().minRebalance();
      double ordered = Math.abs(account.target() - held) < smallest ? held : account.target();
      assertThat(row.input()).hasSize(seen.length + 1).startsWith(seen).endsWith((float) ordered);
      assertThat(row.unit())
          .isEqualTo(account.instrument().volatility()[bar] * Math.max(Math.abs(ordered), 0.01));
      assertThat(row.logReturn())
          .isCloseTo(Math.log(account.account().equity() / before), within(1e-12));
      assertThat(row.idle()).isEqualTo(held == 0 && account.account().traded() == 0);
    }
    assertThat(rows).anyMatch(row -> row.usable());
  }

  /**
   * Short form of {@code tools/forecast-bars}: fat tails and clustered volatility with known
   * quantiles. RiskMetrics has neither.
   */
  @Requirement("EVID-9")
  @Test
  void shouldForecastTheTailOfAMarketWithKnownQuantiles() {
    MarketModel.Garch model = new MarketModel.Garch(2e-6, 0.08, 0.90, 5);
    Bars bars = SyntheticMarketGenerator.generate(model, 40_000, SampleBars.HOUR, 11, false);
    Market market = market(bars);
    NextBarForecaster forecaster = NextBarForecaster.untrained(market, CONFIG.seed()).orElseThrow();
    List<ForecastRow> training = held(market, SplitPart.TRAIN);
    forecaster.learn(training, 8, "test", 0);

    ForecastPass pass = ForecastPass.of(forecaster, held(market, SplitPart.TEST), 0.05);
    ForecastResult result = ForecastResult.of(pass, 1);
    assertThat(result.refusal()).isNull();
    ForecastResult.Level level = result.levels().get(0);
    assertThat((double) level.exceedances() / result.bars()).isBetween(0.04, 0.06);
    assertThat(level.scoreDifference().low()).as("not worse than RiskMetrics").isLessThan(0);
    ForecastResult.Level farther = result.levels().get(2);
    assertThat(farther.alpha()).isEqualTo(0.01);
    assertThat(farther.scoreDifference().high()).as("better where tails are fat").isLessThan(0);
  }

  /** The usable rows of an account that always holds everything. */
  private static List<ForecastRow> held(Market market, SplitPart part) {
    RowRecorder recorder = new RowRecorder(BaselinePolicies.constant(1));
    Backtest.run(market.pass(0, part), "held", recorder);
    return recorder.passes().get(0).stream().filter(ForecastRow::usable).toList();
  }
}
