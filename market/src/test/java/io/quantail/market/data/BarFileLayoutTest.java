package io.quantail.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.market.data.BarFileLayout.Decimal;
import io.quantail.market.data.BarFileLayout.Prices;
import io.quantail.market.data.BarFileLayout.Separator;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DATA-3")
class BarFileLayoutTest {
  private static final List<String> PLAIN = List.of("ts", "open", "high", "low", "close", "volume");
  private static final long HOUR = 3_600_000;

  @TempDir Path directory;

  @Test
  void shouldReadPlacesInsteadOfNames() throws IOException {
    BarFileLayout layout =
        layout(
            2,
            List.of("-", "close", "date", "time", "open", "low", "high", "x_mood"),
            Separator.PIPE,
            Decimal.COMMA,
            "%d/%m/%Y %H:%M",
            "UTC",
            Prices.RAW);
    Bars bars =
        read(
                "made by hand\nthese|names|mean|nothing|at|all|in|here\n"
                    + "a|1.011,5|31/12/2023|23:00|1.010,25|1.009|1.012|0,5\n"
                    + "b|1.012,5|01/01/2024|00:00|1.011,25|1.010|1.013|\n"
                    + "c|1.013,5|01/01/2024|01:00|1.012,25|1.011|1.014|-1\n",
                layout,
                true)
            .orThrow();
    assertThat(bars.time(0)).isEqualTo(1_704_067_200_000L); // 2024-01-01T00:00:00Z
    assertThat(bars.open(0)).isEqualTo(1010.25);
    assertThat(bars.high(0)).isEqualTo(1012);
    assertThat(bars.low(0)).isEqualTo(1009);
    assertThat(bars.close(0)).isEqualTo(1011.5);
    assertThat(bars.volume(0)).isZero();
    assertThat(bars.extra("x_mood", 2)).isEqualTo(-1);
  }

  @Test
  void shouldNameTheLineOfAProblemBelowSeveralHeaderLines() throws IOException {
    BarFileLayout layout =
        layout(3, PLAIN, Separator.COMMA, Decimal.POINT, "seconds", "UTC", Prices.RAW);
    String text =
        "one\ntwo\nthree\n1704070800,1,1,1,1,1\n1704074400,1,zero,1,1,1\n1704078000,1,1,1,1,1\n9,9\n";
    assertThat(read(text, layout, false).errors())
        .extracting(problem -> problem.toString().replaceFirst("^.*bars.csv, ", ""))
        .containsExactly(
            "line 5, column high: \"zero\" must be a finite number",
            "line 7: must have 6 cells, one per column");
  }

  @Test
  void shouldReadLocalTimesAlsoWhenClocksArePutBack() throws IOException {
    BarFileLayout layout =
        layout(0, PLAIN, Separator.COMMA, Decimal.POINT, "iso", "Europe/Berlin", Prices.RAW);
    String prices = ",1,1,1,1,1\n";
    Bars bars =
        read(
                "2024-10-27 01:00:00"
                    + prices
                    + "2024-10-27 02:00:00"
                    + prices
                    + "2024-10-27 02:00:00"
                    + prices
                    + "2024-10-27 03:00:00"
                    + prices,
                layout,
                false)
            .orThrow();
    long first = 1_729_983_600_000L; // 2024-10-26T23:00:00Z
    assertThat(List.of(bars.time(0), bars.time(1), bars.time(2), bars.time(3)))
        .containsExactly(first, first + HOUR, first + 2 * HOUR, first + 3 * HOUR);
    assertThat(
            read("2024-10-27 01:00:00Z" + prices + "2024-10-27 02:00:00" + prices, layout, false)
                .errors())
        .extracting(DataProblem::rule)
        .contains("must be a time, written as in the rest of the file");
  }

  @Test
  void shouldScalePricesToTheAdjustedClose() throws IOException {
    String text =
        "Date,Open,High,Low,Close,Adj Close,Volume\n"
            + "2024-01-01,10,16,8,12,6,100\n2024-01-02,10,16,8,12,9,100\n2024-01-03,10,16,8,12,12,100\n";
    BarFileLayout plain = BarFileLayout.defaults();
    BarFileLayout adjusted =
        layout(1, List.of(), plain.separator(), plain.decimal(), "auto", "UTC", Prices.ADJUSTED);
    Bars bars = read(text, adjusted, false).orThrow();
    assertThat(List.of(bars.open(0), bars.high(0), bars.low(0), bars.close(0), bars.volume(0)))
        .containsExactly(5.0, 8.0, 4.0, 6.0, 100.0);
    assertThat(bars.close(1)).isEqualTo(9);
    BarsReadReport raw = read(text, plain, false);
    assertThat(raw.orThrow().close(0)).isEqualTo(12);
    assertThat(raw.warnings())
        .extracting(DataProblem::rule)
        .contains("is not used; market.data.layout.prices: adjusted scales all prices to it");
    assertThat(read(text.replace("12,6,", "12,null,"), adjusted, false).errors())
        .extracting(problem -> problem.toString().replaceFirst("^.*bars.csv, ", ""))
        .containsExactly("line 2, column Adj Close: \"null\" must be a positive price");
  }

  @Test
  void shouldRefuseAFileThatChangesWhileItIsRead() throws Exception {
    Path file = directory.resolve("bars.csv");
    StringBuilder text = new StringBuilder("ts,open,high,low,close,volume\n");
    for (int i = 0; i < 50_000; i++) {
      text.append(1_704_070_800 + 60 * i).append(",1,1,1,1,1\n");
    }
    Files.writeString(file, text);
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!done.get()) {
                append(file);
              }
            });
    writer.start();
    try {
      assertThat(BarsReader.read(file.toString(), new BarsOptions("", 0, false, true)).errors())
          .extracting(DataProblem::rule)
          .contains(FileStamp.CHANGED);
    } finally {
      done.set(true);
      writer.join();
    }
  }

  private static void append(Path file) {
    try {
      Files.writeString(file, "\n", StandardOpenOption.APPEND);
      Thread.sleep(1);
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void shouldRefuseLayoutsThatReadNothing() {
    refused(() -> layout(101, PLAIN, "iso", "UTC"), "headerLines must be in [0, 100], was 101");
    refused(() -> layout(0, List.of(), "iso", "UTC"), "headerLines must be 1 without");
    refused(() -> layout(1, List.of("ts", "opn"), "iso", "UTC"), "columns must be one of");
    refused(
        () -> layout(1, List.of("ts", "date", "open", "high", "low", "close"), "iso", "UTC"),
        "columns must have either ts, or date with or without time");
    refused(
        () -> layout(1, List.of("ts", "open", "open", "low", "close"), "iso", "UTC"),
        "columns must name each column once, has two of open");
    refused(
        () -> layout(1, List.of("ts", "open", "high", "low"), "iso", "UTC"),
        "columns must have open, high, low and close");
    refused(() -> layout(1, PLAIN, "%d.%m.", "UTC"), "timeFormat must be auto, iso, date, seconds");
    refused(() -> layout(1, PLAIN, "iso", "Mars"), "zone must be a time zone such as UTC");
    refused(
        () -> layout(1, PLAIN, Separator.TAB, Decimal.POINT, "iso", "UTC", Prices.ADJUSTED),
        "prices is adjusted, so columns must have adj_close");
  }

  private static void refused(Runnable made, String message) {
    assertThatThrownBy(made::run)
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("market.data.layout.")
        .hasMessageContaining(message);
  }

  private static BarFileLayout layout(int lines, List<String> columns, String time, String zone) {
    return layout(lines, columns, Separator.COMMA, Decimal.POINT, time, zone, Prices.RAW);
  }

  private static BarFileLayout layout(
      int lines,
      List<String> columns,
      Separator separator,
      Decimal decimal,
      String time,
      String zone,
      Prices prices) {
    return new BarFileLayout(lines, columns, separator, decimal, time, zone, prices);
  }

  private BarsReadReport read(String text, BarFileLayout layout, boolean open) throws IOException {
    Path file = Files.writeString(directory.resolve("bars.csv"), text);
    return BarsReader.read(file.toString(), new BarsOptions("", 0, open, false, layout));
  }
}
