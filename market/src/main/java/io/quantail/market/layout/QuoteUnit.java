package io.quantail.market.layout;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The currency in which a symbol is quoted, as its name states it.
 *
 * @param name such as USD or BTC; {@code USD} if the name states none
 * @param account an amount that a private account may have
 * @param stated whether the name of the symbol states the currency
 */
public record QuoteUnit(String name, double account, boolean stated) {
  private static final List<String> UNITS =
      List.of(
          "USDT", "USDC", "USD", "EUR", "GBP", "CHF", "AUD", "CAD", "NZD", "JPY", "KRW", "TRY",
          "PLN", "SEK", "NOK", "XBT", "BTC", "ETH", "BNB");
  private static final Map<String, Double> ACCOUNTS =
      Map.of(
          "JPY", 1e6, "KRW", 1e7, "TRY", 1e5, "SEK", 1e5, "NOK", 1e5, "XBT", 0.1, "BTC", 0.1, "ETH",
          5.0, "BNB", 20.0);

  /**
   * Returns the currency of a symbol: the last of its parts, or the end of a name of at least six
   * letters, such as {@code ETH/BTC}, {@code BTC_USDT-5m} or {@code EURUSD}.
   *
   * @param symbol name of the symbol or file
   * @return the currency; US dollars if the name states none
   */
  public static QuoteUnit of(String symbol) {
    String name = symbol.toUpperCase(Locale.ROOT);
    for (String part : name.split("[^A-Z0-9]+")) {
      if (UNITS.contains(part) && !name.startsWith(part)) {
        return stated(part);
      }
    }
    String pair = name.split("[^A-Z0-9]+")[0];
    for (String unit : UNITS) {
      if (pair.length() >= 6 && pair.endsWith(unit)) {
        return stated(unit);
      }
    }
    return new QuoteUnit("USD", account("USD"), false);
  }

  private static QuoteUnit stated(String unit) {
    return new QuoteUnit(unit, account(unit), true);
  }

  private static double account(String unit) {
    return ACCOUNTS.getOrDefault(unit, 10_000.0);
  }
}
