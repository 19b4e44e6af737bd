package io.quantail.market.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.learn.GeneratedMarket.Score;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

/** One seed of each market, with as many steps as a build has time for. */
@Requirement("LEARN-1")
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

  /** An agent that has learnt nothing takes a position and pays for it. */
  @Test
  void shouldLeaveNoiseAlone() {
    Score untrained = GeneratedMarket.NOISE.train(11, BARS, GeneratedMarket.UNTRAINED);
    assertThat(untrained.isCalm()).as(untrained.toString()).isFalse();
    Score score = GeneratedMarket.NOISE.train(11, BARS, "training.steps=65536");
    assertThat(score.isCalm()).as(score.toString()).isTrue();
  }
}
