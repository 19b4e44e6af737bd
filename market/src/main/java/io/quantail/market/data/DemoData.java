package io.quantail.market.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Embedded market data: daily bars of four shares from 2000 (GOOG: 2004) to 1 March 2013, adjusted
 * for splits and dividends ({@code tools/demo-bars}); and from ta4j-examples a week of Bitstamp
 * BTC/USD trades (100,000 trades, 25 November to 1 December 2013) as bars of any length.
 */
public final class DemoData {
  /** Name of the Bitstamp BTC/USD trades. */
  public static final String BITCOIN = "demo:btc";

  /** Shares with daily bars, {@code demo:AAPL} and so on. */
  public static final List<String> SHARES = List.of("AAPL", "GOOG", "IBM", "MSFT");

  private static final String PREFIX = "demo:";
  private static final String STOCKS = "stocks.csv.gz";
  private static final String TRADES = "/bitstamp_trades_from_20131125_usd.csv";
  private static final long DEFAULT_LENGTH = 5 * 60_000L;
  private static final long DAY_MILLIS = 24 * 3_600_000L;

  private DemoData() {}

  /**
   * Tells whether a name means embedded data instead of a file.
   *
   * @param name entry of {@code market.data.files}
   * @return whether the name starts with {@code demo:}
   */
  public static boolean isDemo(String name) {
    return name.startsWith(PREFIX);
  }

  /**
   * Reads embedded data.
   *
   * @param name {@value #BITCOIN}, or {@code demo:} and one of {@link #SHARES}
   * @param options symbol and bar length; {@value #BITCOIN} accepts any bar length, default 5
   *     minutes, and the others always have daily bars
   * @return the bars and how they were interpreted
   * @throws DataException if the name is unknown or the data are not on the class path
   */
  public static BarsReadReport read(String name, BarsOptions options) {
    String share = name.substring(PREFIX.length());
    if (SHARES.contains(share)) {
      return share(share, options);
    }
    if (name.equals(BITCOIN)) {
      return bitcoin(options);
    }
    throw new DataException(
        "there is no embedded data \"%s\"; use %s, %s%s"
            .formatted(name, BITCOIN, PREFIX, String.join(", " + PREFIX, SHARES)));
  }

  private static BarsReadReport share(String share, BarsOptions options) {
    BarsBuilder bars =
        new BarsBuilder(options.symbol().isEmpty() ? share : options.symbol(), DAY_MILLIS);
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(open(STOCKS)), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(share + ",")) {
          String[] cells = line.split(",", -1);
          long day = LocalDate.parse(cells[1]).toEpochDay();
          double[] values = Arrays.stream(cells, 2, 7).mapToDouble(Double::parseDouble).toArray();
          bars.add((day + 1) * DAY_MILLIS, values);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + STOCKS, failure);
    }
    String source = PREFIX + share + ": daily bars, adjusted for splits and dividends";
    return new BarsReadReport(bars.build(), List.of(source), new ArrayList<>());
  }

  private static BarsReadReport bitcoin(BarsOptions options) {
    long length = options.barMillis() == 0 ? DEFAULT_LENGTH : options.barMillis();
    String symbol = options.symbol().isEmpty() ? "BTCUSD" : options.symbol();
    TradeAggregator bars = new TradeAggregator(symbol, length);
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(open(TRADES), StandardCharsets.UTF_8))) {
      reader.readLine();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",");
        bars.add(
            Long.parseLong(cells[0]) * 1000,
            Double.parseDouble(cells[1]),
            Double.parseDouble(cells[2]));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + TRADES, failure);
    }
    String source =
        BITCOIN
            + ": bars of "
            + BarLength.written(length)
            + " from Bitstamp trades, none for times without trades";
    return new BarsReadReport(bars.finish(), List.of(source), new ArrayList<>());
  }

  private static InputStream open(String resource) {
    // Data of ta4j through the loader, because they are in a module of their own.
    InputStream stream =
        resource.startsWith("/")
            ? DemoData.class.getClassLoader().getResourceAsStream(resource.substring(1))
            : DemoData.class.getResourceAsStream(resource);
    if (stream == null) {
      throw new DataException(
          "the embedded data " + resource + " is missing; the jars of the command contain it");
    }
    return stream;
  }
}
