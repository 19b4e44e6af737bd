package io.quantail.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.env.check.EnvironmentChecker;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.feature.LookAheadCheck;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.RangesEnvironment;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TrainingRange;
import io.quantail.random.RandomStream;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A market divided by {@code market.split.by: purged}. */
@Requirement("EVID-1")
class PurgedMarketTest {
  private static final List<String> SMALL =
      List.of(
          "environment.name=Market-v0",
          "market.features.names=[return(1), 'macd(3,5)', rsi(4), ewma-volatility, volume-share(7)]",
          "market.action.unit=risk",
          "market.episode.bars=16",
          "market.split.by=purged",
          "market.split.groups=6",
          "market.split.testedGroups=[2, 5]");

  private static RunConfig config(String... more) {
    List<String> settings = new ArrayList<>(SMALL);
    settings.addAll(List.of(more));
    return YamlConfig.parse("", "test", settings);
  }

  private static Market market(List<Bars> bars, String... more) {
    RunConfig config = config(more);
    return Market.load(MarketProvider.settings(config), config.risk(), bars);
  }

  /** Longest lookback 7: purge 1 and embargo 8 by default; groups of 50 bars. */
  @Test
  void shouldDivideTheBarsIntoGroups() {
    BarSplit split = market(List.of(SampleBars.random(300, 1))).folds().get(0);

    assertThat(split.tests()).containsExactly(new BarRange(50, 100), new BarRange(200, 250));
    assertThat(split.training())
        .containsExactly(
            new BarRange(0, 49),
            new BarRange(108, 150),
            new BarRange(150, 199),
            new BarRange(258, 300));
    assertThat(split.validation().size()).isZero();
    assertThat(split.purged()).isTrue();
  }

  /** The property that a purged split exists for: bit for bit, in every split and for all bars. */
  @Test
  void shouldTrainOnNothingButTrainingBars() {
    List<Bars> bars = List.of(SampleBars.random(300, 1), SampleBars.random(300, 2));
    for (String tested : List.of("[1, 2]", "[2, 5]", "[3]", "[1, 6]", "[5, 6]")) {
      Market market = market(bars, "market.split.testedGroups=" + tested);
      for (int trial = 0; trial < 4; trial++) {
        Market changed =
            market(changed(bars, market, trial), "market.split.testedGroups=" + tested);
        assertThat(changed.scaler()).as("scaler, testing %s", tested).isEqualTo(market.scaler());
        assertThat(changed.volatility()).isEqualTo(market.volatility());
        assertThat(changed.rules()).isEqualTo(market.rules());
        for (int i = 0; i < market.training().size(); i++) {
          requireSame(market.training().get(i), changed.training().get(i));
        }
        for (int k = 0; k < 4; k++) {
          assertThat(episode(changed, k)).isEqualTo(episode(market, k));
        }
      }
    }
  }

  /** Trial 0 changes all bars outside of training, others some of them. */
  private static List<Bars> changed(List<Bars> bars, Market market, int trial) {
    return IntStream.range(0, bars.size())
        .mapToObj(
            symbol -> {
              List<BarRange> training = market.folds().get(symbol).training();
              RandomStream random = RandomStream.of(trial, "changed", symbol);
              return LookAheadCheck.changed(
                  bars.get(symbol),
                  t ->
                      training.stream().noneMatch(range -> range.contains(t))
                          && (trial == 0 || random.nextDouble() < 0.1),
                  random);
            })
        .toList();
  }

  private static void requireSame(TrainingRange one, TrainingRange other) {
    assertThat(other.range()).isEqualTo(one.range());
    float[] row = new float[one.instrument().features().width()];
    float[] twin = row.clone();
    for (int t = 0; t < one.instrument().bars().size(); t++) {
      one.instrument().features().copyRow(t, row);
      other.instrument().features().copyRow(t, twin);
      assertThat(twin).isEqualTo(row);
      assertThat(other.instrument().prices().averageVolume(t))
          .isEqualTo(one.instrument().prices().averageVolume(t));
    }
    assertThat(other.instrument().volatility()).isEqualTo(one.instrument().volatility());
  }

  /** Rewards and observations of the first episodes of an environment. */
  private static List<String> episode(Market market, int index) {
    List<String> seen = new ArrayList<>();
    Environment environment = MarketEnvironments.training(market).create(index);
    for (int episode = 0; episode < 3; episode++) {
      seen.add(Arrays.toString(environment.reset(RandomStream.of(5, "episode", episode))));
      for (int step = 0; step < 16; step++) {
        Step result = environment.step(Action.of(environment.actionSpace(), step % 3 - 1f));
        seen.add(Arrays.toString(result.observation()) + " " + result.reward());
      }
    }
    return seen;
  }

  /** Training ranges of 49, 42, 49 and 42 bars; the third needs no warm-up of its own. */
  @Test
  void shouldStartEpisodesAtEveryBarInsideOneGroup() {
    Market market = market(List.of(SampleBars.random(300, 1)));
    RangesEnvironment environment =
        (RangesEnvironment) MarketEnvironments.training(market).create(0);
    TreeSet<Long> starts = new TreeSet<>();
    for (int episode = 0; episode < 4000; episode++) {
      environment.reset(RandomStream.of(1, "episode", episode));
      TradingEnvironment running = environment.episode();
      Bars bars = running.instrument().bars();
      starts.add(bars.time(running.bar()));
      BarRange range = running.range();
      assertThat(running.bar() + 16).isLessThan(range.to());
    }
    Bars all = market.bars().get(0);
    List<Long> expected = new ArrayList<>();
    for (int[] range : new int[][] {{7, 49}, {115, 150}, {150, 199}, {265, 300}}) {
      for (int t = range[0]; t + 16 < range[1]; t++) {
        expected.add(all.time(t));
      }
    }
    assertThat(starts).containsExactlyElementsOf(expected);
  }

  @Test
  void shouldContinueAnEpisodeFromASnapshot() {
    Market market = market(List.of(SampleBars.random(300, 1)));
    assertThat(EnvironmentChecker.check(MarketEnvironments.training(market)).findings()).isEmpty();
    assertThatThrownBy(
            () ->
                MarketEnvironments.training(market)
                    .create(0)
                    .restore(new double[] {1, 9}, RandomStream.of(1, "x", 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must name one of 4 training ranges, named 9");
  }

  @Test
  void shouldSkipRangesThatAreTooShort() {
    Market market = market(List.of(SampleBars.random(300, 1)), "market.episode.bars=41");
    // 49 - 7 = 42 bars of the first range and 49 of the third are enough for 41 steps.
    assertThat(market.training().stream().map(range -> range.starts(market.rules())))
        .containsExactly(1, -6, 8, -6);
    MarketEnvironments.training(market);
    assertThat(market.passes(SplitPart.TRAIN)).hasSize(2);
    assertThatThrownBy(
            () ->
                MarketEnvironments.training(
                    market(List.of(SampleBars.random(300, 1)), "market.episode.bars=50")))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "WALK1 has no training range with the bars of a warm-up and an episode, 7 + 51: the"
                + " longest of 4 has 49 bars; use fewer groups, more bars, or a smaller"
                + " market.episode.bars");
  }

  /** The account of the pass with an open position, and then one sale. */
  @Test
  void shouldEndEachPassWithASale() {
    Market market = market(List.of(SampleBars.random(300, 1)), "market.action.unit=weight");
    MarketPass pass = market.passes(SplitPart.TEST).get(1);
    TradingPolicy hold = BaselinePolicies.buyAndHold(market.rules().actions());
    BacktestResult open = Backtest.run(pass.environment(), "hold", hold);
    BacktestResult sold = Backtest.run(pass, "hold", hold);

    assertThat(sold.symbol()).isEqualTo("WALK1, group 5");
    assertThat(sold.series().times()).isEqualTo(open.series().times()).hasSize(49);
    int last = 48;
    assertThat(sold.series().exposures()[last]).isZero();
    assertThat(sold.series().exposures()[last - 1]).isPositive();
    FilledOrder sale = sold.trades().get(sold.trades().size() - 1);
    assertThat(sold.trades()).hasSize(open.trades().size() + 1);
    assertThat(sale.time()).isEqualTo(sold.series().times()[last]);
    double slippage = -sale.units() * (sale.reference() - sale.fill());
    assertThat(slippage).isPositive();
    assertThat(sold.series().slippage()[last])
        .isCloseTo(open.series().slippage()[last] + slippage, within(1e-9));
    assertThat(sold.series().fees()[last])
        .isCloseTo(open.series().fees()[last] + sale.fee(), within(1e-9));
    assertThat(sold.series().equity()[last])
        .isCloseTo(open.series().equity()[last] - slippage - sale.fee(), within(1e-8));
    assertThat(sold.series().turnover()[last])
        .isCloseTo(
            open.series().turnover()[last] + sale.notional() / open.series().equity()[last - 1],
            within(1e-12));
    assertThat(sold.series().equity()[last - 1]).isEqualTo(open.series().equity()[last - 1]);
  }

  @Test
  void shouldShareGroupsAmongSymbolsOfDifferentLength() {
    Bars whole = SampleBars.random(500, 1);
    Bars late = SampleBars.random(500, 2).slice(200, 500);
    Market market = market(List.of(whole, late));
    assertThat(market.folds().get(0).tests())
        .containsExactly(new BarRange(250, 300), new BarRange(400, 450));
    assertThat(market.folds().get(1).tests())
        .containsExactly(new BarRange(50, 100), new BarRange(200, 250));
    assertThat(market.passes(SplitPart.TEST).stream().map(MarketPass::name))
        .containsExactly("WALK1, group 2", "WALK1, group 5", "WALK2, group 2", "WALK2, group 5");
    Bars other = SampleBars.random(500, 3).slice(0, 200);
    assertThatThrownBy(() -> market(List.of(other, late)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("have no bar in common");
  }

  @Test
  void shouldRefuseAnEmbargoShorterThanAWindow() {
    List<Bars> bars = List.of(SampleBars.random(300, 1));
    assertThatThrownBy(() -> market(bars, "market.split.embargoBars=6"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("at least the longest window of a feature, 7 bars")
        .hasMessageEndingWith("was 6; set 0 for the default of 8");
    assertThat(
            market(bars, "market.split.embargoBars=7", "market.split.purgeBars=3")
                .folds()
                .get(0)
                .training())
        .contains(new BarRange(0, 47), new BarRange(107, 150));
  }

  @Test
  void shouldRefuseImpossibleGroups() {
    for (String wrong : List.of("[]", "[0]", "[7]", "[2, 2]", "[3, 1]", "[1, 2, 3, 4, 5, 6]")) {
      assertThatThrownBy(() -> config("market.split.testedGroups=" + wrong))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("must be ascending numbers from 1 to 6, at least one and not all")
          .hasMessageEndingWith("was " + wrong);
    }
    assertThatThrownBy(() -> config("market.split.groups=1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("market.split.groups must be");
  }
}
