package io.quantail.app.command;

import io.quantail.random.RandomStream;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A file of bars as users have it, and the bars it holds.
 *
 * @param file name of the file
 * @param text its content
 * @param bars the bars that a reader must find
 */
record BarFileSample(String file, String text, List<Row> bars) {
  private static final long DAY = 86_400_000L;
  private static final long HOUR = 3_600_000L;

  /** A bar: times in milliseconds since 1970, prices and volume. */
  record Row(
      long from, long to, double open, double high, double low, double close, double volume) {
    String prices(String separator) {
      return "%s%5$s%s%5$s%s%5$s%s".formatted(open, high, low, close, separator);
    }

    String day(String pattern) {
      return written(from, pattern);
    }

    private static String written(long time, String pattern) {
      return DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
          .withZone(ZoneOffset.UTC)
          .format(Instant.ofEpochMilli(time));
    }

    /** All prices multiplied, as a reader does with an adjusted close. */
    Row times(double factor) {
      return new Row(from, to, open * factor, high * factor, low * factor, close * factor, volume);
    }
  }

  static List<BarFileSample> all() {
    return List.of(
        pandas(),
        yahoo(),
        stooq(),
        binance(),
        kraken(),
        metaTrader(),
        freqtrade(),
        decimalComma(),
        openTimes(),
        byteOrderMark());
  }

  static BarFileSample pandas() {
    return of(
        "prices.csv",
        hours(),
        ",open,high,low,close,volume",
        row -> row.day("yyyy-MM-dd HH:mm:ss") + "," + row.prices(",") + "," + row.volume);
  }

  static BarFileSample yahoo() {
    List<Row> raw = days();
    List<Row> adjusted = new ArrayList<>();
    StringBuilder text = new StringBuilder("Date,Open,High,Low,Close,Adj Close,Volume\n");
    for (int i = 0; i < raw.size(); i++) {
      Row row = raw.get(i);
      double adj = Math.rint(row.close * (0.8 + 0.2 * i / raw.size()) * 1e4) / 1e4;
      adjusted.add(row.times(adj / row.close));
      text.append(
          "%s,%s,%s,%.0f\n".formatted(row.day("yyyy-MM-dd"), row.prices(","), adj, row.volume));
    }
    return new BarFileSample("AAPL.csv", text.toString(), adjusted);
  }

  static BarFileSample stooq() {
    return of(
        "aapl_us_d.csv",
        days(),
        "Date,Open,High,Low,Close,Volume",
        row -> row.day("yyyy-MM-dd") + "," + row.prices(",") + "," + row.volume);
  }

  static BarFileSample binance() {
    return of(
        "BTCUSDT-1h-2024-01.csv",
        hours(),
        "",
        row ->
            "%d,%s,%s,%d,%s,%d,%s,%s,0"
                .formatted(
                    row.from,
                    row.prices(","),
                    row.volume,
                    row.to - 1,
                    row.volume * row.close,
                    12,
                    row.volume / 2,
                    row.volume * row.close / 2));
  }

  static BarFileSample kraken() {
    return of(
        "XBTUSD_60.csv",
        hours(),
        "",
        row -> "%d,%s,%s,%d".formatted(row.from / 1000, row.prices(","), row.volume, 7));
  }

  static BarFileSample metaTrader() {
    return of(
        "EURUSD_H1.csv",
        hours(),
        "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>",
        row ->
            row.day("yyyy.MM.dd\tHH:mm:ss")
                + "\t"
                + row.prices("\t")
                + "\t%.0f\t0\t3".formatted(row.volume));
  }

  static BarFileSample freqtrade() {
    return of(
        "ETH_BTC-1h.csv",
        hours(),
        "date,open,high,low,close,volume",
        row -> row.day("yyyy-MM-dd HH:mm:ss") + "+00:00," + row.prices(",") + "," + row.volume);
  }

  static BarFileSample decimalComma() {
    return of(
        "kurse.csv",
        days(),
        "Date;Open;High;Low;Close;Volume",
        row ->
            row.day("dd.MM.yyyy")
                + ";"
                + row.prices(";").replace('.', ',')
                + ";%.0f".formatted(row.volume));
  }

  static BarFileSample openTimes() {
    return of(
        "bars.csv",
        hours(),
        "Open Time,Open,High,Low,Close,Volume",
        row -> Instant.ofEpochMilli(row.from) + "," + row.prices(",") + "," + row.volume);
  }

  static BarFileSample byteOrderMark() {
    BarFileSample plain = stooq();
    return new BarFileSample("excel.csv", "\uFEFF" + plain.text.replace("\n", "\r\n"), plain.bars);
  }

  private static BarFileSample of(
      String file, List<Row> bars, String header, Function<Row, String> line) {
    String text = bars.stream().map(line).collect(Collectors.joining("\n", "", "\n"));
    return new BarFileSample(file, header.isEmpty() ? text : header + "\n" + text, bars);
  }

  /** Working days from 2 January 2023 on; two of them are holidays. */
  static List<Row> days() {
    List<Long> opens = new ArrayList<>();
    for (LocalDate day = LocalDate.of(2023, 1, 2); opens.size() < 300; day = day.plusDays(1)) {
      boolean weekend =
          day.getDayOfWeek() == DayOfWeek.SATURDAY || day.getDayOfWeek() == DayOfWeek.SUNDAY;
      boolean holiday =
          day.equals(LocalDate.of(2023, 7, 4)) || day.equals(LocalDate.of(2023, 12, 25));
      if (!weekend && !holiday) {
        opens.add(day.toEpochDay() * DAY);
      }
    }
    return walk(opens, DAY);
  }

  static List<Row> hours() {
    List<Long> opens = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      opens.add(1_704_067_200_000L + i * HOUR);
    }
    return walk(opens, HOUR);
  }

  private static List<Row> walk(List<Long> opens, long length) {
    RandomStream random = RandomStream.of(7, "sample", 0);
    List<Row> rows = new ArrayList<>();
    double last = 100;
    for (long from : opens) {
      double open = cents(last * Math.exp(0.002 * random.nextGaussian()));
      double close = cents(open * Math.exp(0.01 * random.nextGaussian()));
      double high = cents(Math.max(open, close) + 0.3 * random.nextDouble());
      double low = cents(Math.min(open, close) - 0.3 * random.nextDouble());
      double volume = 1_000_000 + random.nextInt(1_000_000);
      rows.add(new Row(from, from + length, open, high, low, close, volume));
      last = close;
    }
    return rows;
  }

  private static double cents(double price) {
    return Math.rint(price * 100) / 100;
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return file;
  }
}
