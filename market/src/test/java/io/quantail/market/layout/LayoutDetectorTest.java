package io.quantail.market.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.market.data.BarFileLayout.Separator;
import io.quantail.market.data.DataException;
import io.quantail.market.layout.DetectedLayout.Basis;
import io.quantail.market.layout.DetectedLayout.PriceBasis;
import io.quantail.market.layout.DetectedLayout.ZoneBasis;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("DATA-3")
class LayoutDetectorTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2024-12-31 | date",
        "2024-12-31 00:00:00 | date",
        "2024-12-31 00:00:00-05:00 | date",
        "2024-12-31T16:00:00Z | iso",
        "2024-12-31 16:00 | %Y-%m-%d %H:%M",
        "2024-12-31 16:00:00 UTC | %Y-%m-%d %H:%M:%S UTC",
        "20241231 | %Y%m%d",
        "20241231 160000 | %Y%m%d %H%M%S",
        "2024.12.31 16:00 | %Y.%m.%d %H:%M",
        "31.12.2024 | %d.%m.%Y",
        "12/31/2024 16:00 | %m/%d/%Y %H:%M",
        "1735689600 | seconds",
        "1735689600000 | milliseconds",
        "1735689600000000 | microseconds",
        "1735689600000000000 | nanoseconds",
      })
  void shouldRecogniseTimes(String time, String format) throws IOException {
    DetectedLayout found = detect("bars.csv", "when,open,high,low,close\n" + time + ",1,1,1,1\n");
    assertThat(found.layout().timeFormat()).isEqualTo(format);
    assertThat(found.layout().columns()).containsExactly("ts", "open", "high", "low", "close");
    assertThat(found.volume()).isEmpty();
  }

  @Test
  void shouldReadTheHeaderOfYfinance() throws IOException {
    DetectedLayout found =
        detect(
            "bars.csv",
            "Price,Close,High,Low,Open,Volume\nTicker,A,A,A,A,A\nDate,,,,,\n2024-01-02,1,1,1,1,1\n");
    assertThat(found.form()).isEqualTo(FileForm.YAHOO);
    assertThat(found.layout().headerLines()).isEqualTo(3);
    assertThat(found.layout().columns())
        .containsExactly("ts", "close", "high", "low", "open", "volume");
    assertThat(found.prices()).isEqualTo(PriceBasis.ADJUSTED_ALREADY);
  }

  @Test
  void shouldReadFilesOfStooqWithDateAndTime() throws IOException {
    String header = "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n";
    DetectedLayout daily = detect("a.txt", header + "A.US,D,20240102,000000,1,1,1,1,5,0\n");
    assertThat(daily.form()).isEqualTo(FileForm.STOOQ);
    assertThat(daily.layout().columns())
        .containsExactly("symbol", "-", "ts", "-", "open", "high", "low", "close", "volume", "-");
    assertThat(daily.times()).isEqualTo(Basis.DATES);
    DetectedLayout hourly = detect("a.txt", header + "A.US,60,20240102,153000,1,1,1,1,5,0\n");
    assertThat(hourly.layout().columns()).contains("date", "time");
    assertThat(hourly.layout().timeFormat()).isEqualTo("%Y%m%d %H%M%S");
    assertThat(hourly.times()).isEqualTo(Basis.ASSUMED);
  }

  @Test
  void shouldTakeTheRealVolumeOfMetaTraderIfThereIsOne() throws IOException {
    String header = "<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\n";
    DetectedLayout ticks = detect("a.csv", header + "2024.01.02\t1\t1\t1\t1\t7\t0\n");
    assertThat(ticks.form()).isEqualTo(FileForm.METATRADER);
    assertThat(ticks.volumeIsTicks()).isTrue();
    assertThat(ticks.layout().separator()).isEqualTo(Separator.TAB);
    DetectedLayout units = detect("a.csv", header + "2024.01.02\t1\t1\t1\t1\t7\t500\n");
    assertThat(units.volume()).isEqualTo("<VOL>");
    assertThat(units.volumeIsTicks()).isFalse();
  }

  @Test
  void shouldTakeSessionsFromHalfPastNineForThoseOfNewYork() throws IOException {
    StringBuilder text = new StringBuilder("timestamp,open,high,low,close,volume\n");
    for (int day = 2; day < 8; day++) {
      for (String clock : new String[] {"09:30:00", "12:30:00", "15:30:00"}) {
        text.append("2024-01-0%d %s,1,1,1,1,1\n".formatted(day, clock));
      }
    }
    DetectedLayout found = detect("a.csv", text.toString());
    assertThat(found.zone()).isEqualTo(ZoneBasis.SESSIONS);
    assertThat(found.layout().zone()).isEqualTo("America/New_York");
    assertThat(detect("a.csv", text.toString().replace("09:30", "08:30")).zone())
        .isEqualTo(ZoneBasis.ASSUMED);
  }

  @Test
  void shouldKeepTheCanonicalFormAsCloses() throws IOException {
    DetectedLayout found =
        detect(
            "a.csv",
            "ts,symbol,open,high,low,close,volume\n2024-01-02T00:00:00Z,A,1,1,1,1,1\n2024-01-03T00:00:00Z,A,1,1,1,1,1\n");
    assertThat(found.form()).isEqualTo(FileForm.QUANTAIL);
    assertThat(found.timeIsOpen()).isFalse();
    assertThat(found.times()).isEqualTo(Basis.COLUMN);
    assertThat(found.layout().timeFormat()).isEqualTo("iso");
  }

  @Test
  void shouldRefuseWhatItCannotRead() {
    refused("", "is empty; it must have bars");
    refused("just some words\n", "is not a table of bars: no separator");
    refused("a,b,c,d,e\nx,y,z,u,v\n", "no line has a time and four prices");
    refused("date,open,high,low,last\n2024-01-02,1,1,1,1\n", "no column is recognised as close");
    refused("2024-01-02,1,1,2,1,9\n", "high is not always the highest; add a header");
    refused(
        "date,open,high,low,close\n13/01/2024,1,1,1,1\n01/13/2024,1,1,1,1\n",
        "times such as \"13/01/2024\" have no form that is known");
  }

  @ParameterizedTest
  @CsvSource({
    "ETHBTC, BTC, 0.1",
    "ETH_BTC-5m, BTC, 0.1",
    "BTCUSDT, USDT, 10000",
    "XBTUSD_60, USD, 10000",
    "EURUSD_H1, USD, 10000",
    "USDJPY, JPY, 1000000",
    "AAPL, USD, 10000"
  })
  void shouldFindTheQuoteCurrency(String symbol, String unit, double account) {
    assertThat(QuoteUnit.of(symbol).name()).isEqualTo(unit);
    assertThat(QuoteUnit.of(symbol).account()).isEqualTo(account);
    assertThat(QuoteUnit.of(symbol).stated()).isEqualTo(!symbol.equals("AAPL"));
  }

  private void refused(String text, String message) {
    assertThatThrownBy(() -> detect("bars.csv", text))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(message);
  }

  private DetectedLayout detect(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text);
    return LayoutDetector.detect(file, LayoutAnswers.NONE);
  }
}
