package io.quantail.market.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.learn.GeneratedMarket.Score;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One seed of each market, with as many steps as a build has time for. */
@Tag("learning")
class GeneratedMarketTest {
  private static final int BARS = 50_000;

  @Test
  void shouldUseWhatItSees() {
    Score score = GeneratedMarket.ORACLE.train(1, BARS, "training.steps=49152");
    assertThat(score.share()).as(score.toString()).isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void shouldTradeMeanReversion() {
    Score score = GeneratedMarket.MEAN_REVERSION.train(1, BARS, "training.steps=65536");
    assertThat(score.share()).as(score.toString()).isGreaterThanOrEqualTo(0.75);
  }

  @Test
  void shouldHoldATrend() {
    Score score = GeneratedMarket.TREND.train(1, BARS, "training.steps=65536");
    assertThat(score.share()).as(score.toString()).isGreaterThanOrEqualTo(0.85);
  }
}
