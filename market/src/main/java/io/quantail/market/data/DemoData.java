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
 * Real prices that come with the program: a week of Bitstamp BTC/USD trades (100,000 of them, 25
 * November to 1 December 2013, carried by ta4j-examples) as bars of any length, and a year of daily
 * Apple bars.
 */
public final class DemoData {
  public static final String BITCOIN = "demo:btc";
  public static final String APPLE = "demo:apple";

  private static final String PREFIX = "demo:";
  private static final String TRADES = "/bitstamp_trades_from_20131125_usd.csv";
  private static final String APPLE_BARS = "/appleinc_bars_from_20130101_usd.csv";
  private static final long DEFAULT_LENGTH = 5 * 60_000L;

  private DemoData() {}

  /** Whether a name asks for embedded data instead of a file. */
  public static boolean isDemo(String name) {
    return name.startsWith(PREFIX);
  }

  /** Embedded data by name; a bar length may be chosen for {@value #BITCOIN}, default 5 minutes. */
  public static BarsReadReport read(String name, BarsOptions options) {
    return switch (name) {
      case BITCOIN -> bitcoin(options);
      case APPLE -> apple(options);
      default ->
          throw new DataException(
              "there is no embedded data \"%s\"; there are %s and %s"
                  .formatted(name, BITCOIN, APPLE));
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
            + " from Bitstamp trades, none where nobody traded";
    return new BarsReadReport(bars.finish(), List.of(source), new ArrayList<>());
  }

  private static InputStream open(String resource) {
    // Through the loader, because the data are in a module of their own.
    InputStream stream = DemoData.class.getClassLoader().getResourceAsStream(resource.substring(1));
    if (stream == null) {
      throw new DataException(
          "the embedded data " + resource + " is missing; the jar ta4j-examples must be there");
    }
    return stream;
  }
}
