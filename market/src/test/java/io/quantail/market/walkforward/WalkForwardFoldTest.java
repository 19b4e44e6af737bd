package io.quantail.market.walkforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.split.WalkForwardSplitter;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A fold, written as dates into the settings of a run, is divided as the fold says. */
@Requirement({"WF-1", "SPLIT-1"})
class WalkForwardFoldTest {
  private static final RunConfig CONFIG =
      YamlConfig.parse(
          "",
          "test",
          List.of(
              "environment.name=Market-v0",
              "market.split.purgeBars=7",
              "market.split.embargoBars=3",
              "market.walkforward={folds: 3, trainBars: 400, seeds: 2}",
              "market.episode.bars=64"));

  @Test
  void shouldDivideARunAsTheFoldSays() {
    Bars bars = SampleBars.random(1000, 5);
    MarketConfig market = MarketProvider.settings(CONFIG);
    List<WalkForwardFold> spans = WalkForwardFold.of(market, List.of(bars));
    List<BarSplit> folds = WalkForwardSplitter.folds(1000, market.walkforward(), 7, 3);
    assertThat(spans).hasSize(3);
    for (int k = 0; k < 3; k++) {
      MarketConfig fold = MarketProvider.settings(spans.get(k).run(CONFIG, 9));
      BarSplit divided = Market.load(fold, CONFIG.risk(), List.of(bars)).folds().get(0);
      assertThat(divided.train()).isEqualTo(folds.get(k).train());
      assertThat(divided.test()).isEqualTo(folds.get(k).test());
    }
  }

  @Test
  void shouldCountBarsThatAllSymbolsHave() {
    Bars whole = SampleBars.random(1000, 5);
    Bars late = SampleBars.random(1000, 6).slice(300, 1000);
    MarketConfig market = MarketProvider.settings(CONFIG);
    WalkForwardFold first = WalkForwardFold.of(market, List.of(whole, late)).get(0);
    Market divided =
        Market.load(
            MarketProvider.settings(first.run(CONFIG, 1)), CONFIG.risk(), List.of(whole, late));
    // 700 bars in common; they are bars 300 to 999 of the first symbol.
    assertThat(divided.folds().get(0).train()).isEqualTo(new BarRange(300, 693));
    assertThat(divided.folds().get(1).train()).isEqualTo(new BarRange(0, 393));
    assertThat(divided.folds().get(0).test()).isEqualTo(new BarRange(703, 800));
    assertThat(divided.folds().get(1).test()).isEqualTo(new BarRange(403, 500));
  }

  @Test
  void shouldRefuseSymbolsWithoutACommonBar() {
    Bars early = SampleBars.random(1000, 5).slice(0, 400);
    Bars late = SampleBars.random(1000, 6).slice(400, 1000);
    MarketConfig market = MarketProvider.settings(CONFIG);
    assertThatThrownBy(() -> WalkForwardFold.of(market, List.of(early, late)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("[WALK5, WALK6] have no bar in common");
  }

  @Test
  void shouldGiveTheRunItsSeedAndNothingElse() {
    WalkForwardFold span = new WalkForwardFold(1, "2024-01-01/2024-01-02", "2024-01-03/2024-01-04");
    RunConfig run = span.run(CONFIG, 9);
    assertThat(run.seed()).isEqualTo(9);
    assertThat(run.withSeed(1).ppo()).isEqualTo(CONFIG.ppo());
    assertThat(MarketProvider.settings(run).episode())
        .isEqualTo(MarketProvider.settings(CONFIG).episode());
  }
}
