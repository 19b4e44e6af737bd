package io.quantail.market.data;

import io.quantail.market.data.Bars.Optional;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names that columns of bars have in files. Names are compared without case and punctuation; if
 * several aliases of a column are present, the first in the list is used.
 */
public final class ColumnNames {
  /** Aliases of the time of a bar's close. */
  public static final List<String> CLOSE_TIMES = List.of("closetime", "tsclose", "endtime");

  /** Aliases of the time of a bar's open. */
  public static final List<String> OPEN_TIMES = List.of("opentime", "tsopen", "starttime");

  /** Aliases of a time that may be of the open or of the close. */
  public static final List<String> TIMES =
      List.of("ts", "timestamp", "time", "datetime", "date", "t");

  static final List<String> SYMBOLS = List.of("symbol", "ticker");
  static final List<String> ADJUSTED = List.of("adjclose", "adjustedclose", "closeadj");
  static final List<List<String>> PRICES =
      List.of(
          List.of("open", "o"),
          List.of("high", "h"),
          List.of("low", "l"),
          List.of("close", "c"),
          List.of("volume", "v", "vol", "basevolume", "volumebase"));
  static final Map<Optional, List<String>> OPTIONAL =
      new EnumMap<>(
          Map.of(
              Optional.QUOTE_VOLUME,
              List.of("quotevolume", "quoteassetvolume", "volumequote", "q"),
              Optional.TRADES,
              List.of("trades", "numberoftrades", "numtrades", "n"),
              Optional.TAKER_BUY_VOLUME,
              List.of(
                  "takerbuyvolume", "takerbuybase", "takerbuybaseassetvolume", "tbbase", "vbuy")));
  static final List<String> REQUIRED = List.of("open", "high", "low", "close", "volume");

  private ColumnNames() {}

  /**
   * Returns a name without case and punctuation.
   *
   * @param name name of a column in a file
   * @return its letters and digits in lower case
   */
  public static String fold(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /**
   * Returns the meaning of a column that is not a time.
   *
   * @param name name of the column in a file
   * @return a name of {@link BarFileLayout#columns}; null if the name means nothing
   */
  public static @Nullable String meaning(String name) {
    String folded = fold(name);
    if (name.strip().toLowerCase(Locale.ROOT).startsWith("x_")) {
      return name.strip();
    }
    for (int i = 0; i < PRICES.size(); i++) {
      if (PRICES.get(i).contains(folded)) {
        return REQUIRED.get(i);
      }
    }
    for (Map.Entry<Optional, List<String>> entry : OPTIONAL.entrySet()) {
      if (entry.getValue().contains(folded)) {
        return entry.getKey().name().toLowerCase(Locale.ROOT);
      }
    }
    return ADJUSTED.contains(folded) ? "adj_close" : SYMBOLS.contains(folded) ? "symbol" : null;
  }
}
