package io.quantail.market.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Embedded market data from ta4j-examples: a week of Bitstamp BTC/USD trades (100,000 trades, 25
 * November to 1 December 2013) as bars of any length, and a year of daily Apple bars.
 */
public final class DemoData {
  /** Name of the Bitstamp BTC/USD trades. */
  public static final String BITCOIN = "demo:btc";

  /** Name of the daily Apple bars. */
  public static final String APPLE = "demo:apple";

  private static final String PREFIX = "demo:";
  private static final String TRADES = "/bitstamp_trades_from_20131125_usd.csv";
  private static final String APPLE_BARS = "/appleinc_bars_from_20130101_usd.csv";
  private static final long DEFAULT_LENGTH = 5 * 60_000L;

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
   * @param name {@value #BITCOIN} or {@value #APPLE}
   * @param options symbol and bar length; {@value #BITCOIN} accepts any bar length, default 5
   *     minutes, and {@value #APPLE} always has daily bars
   * @return the bars and how they were interpreted
   * @throws DataException if the name is unknown or the data are not on the class path
   */
  public static BarsReadReport read(String name, BarsOptions options) {
    return switch (name) {
      case BITCOIN -> bitcoin(options);
      case APPLE -> apple(options);
      default ->
          throw new DataException(
              "there is no embedded data \"%s\"; use %s or %s".formatted(name, BITCOIN, APPLE));
    };
  }

  private static BarsReadReport apple(BarsOptions options) {
    String symbol = options.symbol().isEmpty() ? "AAPL" : options.symbol();
    try {
      Path copy = Files.createTempFile("apple", ".csv");
      try (InputStream resource = open(APPLE_BARS)) {
        Files.copy(resource, copy, StandardCopyOption.REPLACE_EXISTING);
        BarsOptions daily = new BarsOptions(symbol, BarLength.millis("1d"), false, true);
        return BarsReader.read(copy.toString(), daily);
      } finally {
        Files.delete(copy);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + APPLE_BARS, failure);
    }
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
    // Through the loader, because the data are in a module of their own.
    InputStream stream = DemoData.class.getClassLoader().getResourceAsStream(resource.substring(1));
    if (stream == null) {
      throw new DataException(
          "the embedded data "
              + resource
              + " is missing; add the jar ta4j-examples to the class path");
    }
    return stream;
  }
}
