package io.quantail.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.SampleBars;
import io.quantail.testing.Requirement;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Requirement("DATA-2")
class DemoDataTest {
  @Test
  void shouldMakeBitcoinBarsOfRealTrades() {
    Bars minutes =
        DemoData.read(DemoData.BITCOIN, new BarsOptions("", 60_000, false, false)).orThrow();
    assertThat(minutes.size()).isEqualTo(9399);
    Bars bars = DemoData.read(DemoData.BITCOIN, SampleBars.UNDECLARED).orThrow();
    assertThat(bars.barMillis()).isEqualTo(300_000);
    assertThat(bars.symbol()).isEqualTo("BTCUSD");
    double trades = 0;
    double volume = 0;
    double ofMinutes = 0;
    for (int t = 0; t < bars.size(); t++) {
      trades += bars.value(Bars.Optional.TRADES, t);
      volume += bars.volume(t);
      assertThat(bars.high(t)).isGreaterThanOrEqualTo(Math.max(bars.open(t), bars.close(t)));
      assertThat(bars.low(t)).isLessThanOrEqualTo(Math.min(bars.open(t), bars.close(t)));
      assertThat(bars.time(t) % 300_000).isZero();
    }
    for (int t = 0; t < minutes.size(); t++) {
      ofMinutes += minutes.volume(t);
    }
    assertThat(trades).isEqualTo(100_000);
    assertThat(volume).isCloseTo(ofMinutes, within(1e-6));
    assertThat(bars.open(0)).isEqualTo(800.01);
  }

  @Test
  void shouldReadDailyBarsOfShares() {
    for (String share : DemoData.SHARES) {
      Bars bars = DemoData.read("demo:" + share, SampleBars.UNDECLARED).orThrow();
      assertThat(bars.symbol()).isEqualTo(share);
      assertThat(bars.size()).isEqualTo(share.equals("GOOG") ? 2148 : 3270);
      assertThat(bars.time(bars.size() - 1))
          .isEqualTo(Instant.parse("2013-03-02T00:00:00Z").toEpochMilli());
      for (int t = 0; t < bars.size(); t++) {
        assertThat(bars.high(t)).isGreaterThanOrEqualTo(Math.max(bars.open(t), bars.close(t)));
        assertThat(bars.low(t)).isLessThanOrEqualTo(Math.min(bars.open(t), bars.close(t)));
        assertThat(bars.low(t)).isPositive();
        assertThat(bars.volume(t)).isPositive();
      }
    }
    Bars apple = DemoData.read("demo:AAPL", SampleBars.UNDECLARED).orThrow();
    long day = Instant.parse("2005-03-01T00:00:00Z").toEpochMilli();
    int split =
        IntStream.range(0, apple.size())
            .filter(t -> apple.time(t) == day)
            .findFirst()
            .orElseThrow();
    assertThat(apple.close(split) / apple.close(split - 1))
        .as("two for one on 28 February 2005")
        .isCloseTo(5.76514 / 5.71823, within(1e-9));
  }

  @Test
  void shouldSayWhatThereIs() {
    assertThatThrownBy(() -> DemoData.read("demo:eth", SampleBars.UNDECLARED))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("demo:btc")
        .hasMessageContaining("demo:MSFT");
  }
}
