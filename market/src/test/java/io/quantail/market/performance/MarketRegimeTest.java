package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Kinds of markets, with numbers worked by hand. */
@Requirement("REP-2")
class MarketRegimeTest {
  /**
   * The market rises for 120 bars and falls for 60, each by a fixed factor, so that its trend is
   * down from the 31st falling bar on: 60 bars before it, 30 rises and 30 falls end at the level
   * where they began, which counts as up.
   */
  @Test
  void shouldDivideBarsByWhatWasKnownBefore() {
    double[] market = new double[181];
    market[0] = 1;
    for (int t = 1; t < market.length; t++) {
      market[t] = market[t - 1] * (t <= 120 ? 2 : 0.5);
    }
    double[] weights = new double[181];
    Arrays.fill(weights, 0.25);
    weights[121] = 1; // the turn itself: its volatility is known one bar later
    AccountCurve hold = Curves.of(365, market);
    double[] equity = new double[181];
    Arrays.setAll(equity, t -> Math.pow(1.1, t));
    AccountCurve account =
        new AccountCurve(LongStream.range(0, 181).toArray(), equity, weights, 365);
    List<MarketRegime> regimes = MarketRegime.of(account, hold, market);
    MarketRegime up = named(regimes, "trend up");
    MarketRegime down = named(regimes, "trend down");
    assertThat(up.bars() + down.bars()).isEqualTo(120);
    // Bar t is decided at close t − 1, whose trend is down from close 151 on: bars 152 to 180.
    assertThat(down.bars()).isEqualTo(29);
    assertThat(down.hold()).isCloseTo(Math.pow(0.5, 29) - 1, within(1e-12));
    assertThat(down.account()).isCloseTo(Math.pow(1.1, 29) - 1, within(1e-9));
    assertThat(down.exposure()).isCloseTo(0.25, within(1e-12));
    assertThat(up.hold()).isCloseTo(Math.pow(2, 60 - 31) - 1, within(1e-3));
    // The volatility is above 0 only while the turn is among the last 20 returns: closes 121 to
    // 139.
    MarketRegime low = named(regimes, "low volatility");
    MarketRegime high = named(regimes, "high volatility");
    assertThat(regimes.stream().map(MarketRegime::name)).doesNotContain("middle volatility");
    assertThat(high.bars()).isEqualTo(19);
    assertThat(high.exposure()).as("bars 122 to 140").isCloseTo(0.25, within(1e-12));
    assertThat(high.hold()).isCloseTo(Math.pow(0.5, 19) - 1, within(1e-12));
    assertThat(low.bars()).isEqualTo(101);
  }

  private static MarketRegime named(List<MarketRegime> regimes, String name) {
    return regimes.stream().filter(regime -> regime.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void shouldDivideVolatilityAtItsTerciles() {
    double[] market = new double[361];
    market[0] = 1;
    for (int t = 1; t < market.length; t++) { // swings grow with time
      market[t] = Math.exp((t % 2 == 0 ? 1e-4 : -1e-4) * t);
    }
    AccountCurve hold = Curves.of(365, market);
    List<MarketRegime> regimes = MarketRegime.of(hold, hold, market);
    assertThat(regimes.stream().limit(3).map(MarketRegime::bars)).containsExactly(100, 100, 100);
  }

  @Test
  void shouldHaveNoneOfFewBars() {
    double[] market = new double[90];
    Arrays.fill(market, 1);
    AccountCurve hold = Curves.of(365, market);
    assertThat(MarketRegime.of(hold, hold, market)).isEmpty();
  }
}
