package io.quantail.app.console;

import io.quantail.market.data.BarLength;
import io.quantail.market.data.Bars;
import java.time.Instant;
import java.util.Locale;

/**
 * Summary of a file of bars.
 *
 * @param symbol the symbol
 * @param bars number of bars
 * @param barLength such as {@code 5m}
 * @param from close of the first bar
 * @param to close of the last bar
 * @param fingerprint SHA-256 of the rows
 */
public record BarsSummary(
    String symbol, int bars, String barLength, String from, String to, String fingerprint) {
  public static BarsSummary of(Bars bars) {
    return new BarsSummary(
        bars.symbol(),
        bars.size(),
        BarLength.written(bars.barMillis()),
        Instant.ofEpochMilli(bars.time(0)).toString(),
        Instant.ofEpochMilli(bars.time(bars.size() - 1)).toString(),
        bars.fingerprint());
  }

  public String text() {
    return text("");
  }

  /**
   * The summary as text.
   *
   * @param before words in front of it, such as the name of the file
   */
  public String text(String before) {
    return WrappedText.of(
            String.format(
                Locale.ROOT,
                "%s%s, %d bars of %s, %s to %s",
                before,
                symbol,
                bars,
                barLength,
                from,
                to),
            "",
            "  ")
        + WrappedText.of(WrappedText.broken("fingerprint " + fingerprint, "  "), "  ", "    ");
  }
}
