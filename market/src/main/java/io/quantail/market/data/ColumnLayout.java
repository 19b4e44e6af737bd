package io.quantail.market.data;

import io.quantail.market.data.Bars.Optional;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the columns of a file to the columns of bars. Names are compared without case and
 * punctuation; if several aliases are present, the first in the list is used.
 */
final class ColumnLayout {
  /** Which time of a bar the time column has, according to its name. */
  enum TimeColumn {
    CLOSE,
    OPEN,
    UNKNOWN
  }

  private static final List<String> CLOSE_TIMES = List.of("closetime", "tsclose", "endtime");
  private static final List<String> OPEN_TIMES = List.of("opentime", "tsopen", "starttime");
  private static final List<String> TIMES =
      List.of("ts", "timestamp", "time", "datetime", "date", "t");
  private static final List<List<String>> PRICES =
      List.of(
          List.of("open", "o"),
          List.of("high", "h"),
          List.of("low", "l"),
          List.of("close", "c"),
          List.of("volume", "v", "vol", "basevolume", "volumebase"));
  private static final Map<Optional, List<String>> OPTIONAL =
      new EnumMap<>(
          Map.of(
              Optional.QUOTE_VOLUME,
              List.of("quotevolume", "quoteassetvolume", "volumequote", "q"),
              Optional.TRADES,
              List.of("trades", "numberoftrades", "numtrades", "n"),
              Optional.TAKER_BUY_VOLUME,
              List.of(
                  "takerbuyvolume", "takerbuybase", "takerbuybaseassetvolume", "tbbase", "vbuy")));
  private static final List<String> REQUIRED = List.of("open", "high", "low", "close", "volume");

  private final @Nullable String time;
  private final TimeColumn timeColumn;
  private final @Nullable String symbol;
  private final List<String> prices;
  private final Map<Optional, String> optional;
  private final List<String> extras;
  private final List<String> missing;

  ColumnLayout(List<String> header) {
    Map<String, String> byName = new LinkedHashMap<>();
    header.forEach(name -> byName.putIfAbsent(fold(name), name));
    missing = new ArrayList<>();
    String closeTime = find(byName, CLOSE_TIMES);
    String openTime = find(byName, OPEN_TIMES);
    String plain = find(byName, TIMES);
    time = closeTime != null ? closeTime : openTime != null ? openTime : plain;
    timeColumn =
        closeTime != null
            ? TimeColumn.CLOSE
            : openTime != null ? TimeColumn.OPEN : TimeColumn.UNKNOWN;
    if (time == null) {
      missing.add("ts");
    }
    symbol = find(byName, List.of("symbol", "ticker"));
    prices = new ArrayList<>();
    for (int i = 0; i < PRICES.size(); i++) {
      String found = find(byName, PRICES.get(i));
      prices.add(found);
      if (found == null) {
        missing.add(REQUIRED.get(i));
      }
    }
    optional = new EnumMap<>(Optional.class);
    OPTIONAL.forEach(
        (role, names) -> {
          String found = find(byName, names);
          if (found != null) {
            optional.put(role, found);
          }
        });
    extras =
        header.stream()
            .filter(name -> name.strip().toLowerCase(Locale.ROOT).startsWith("x_"))
            .toList();
  }

  private static @Nullable String find(Map<String, String> byName, List<String> aliases) {
    return aliases.stream().filter(byName::containsKey).findFirst().map(byName::get).orElse(null);
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** The required columns that the file does not have. */
  List<String> missing() {
    return missing;
  }

  String time() {
    return Objects.requireNonNull(time);
  }

  TimeColumn timeColumn() {
    return timeColumn;
  }

  /** The name of the column with the symbol, or null. */
  @Nullable String symbol() {
    return symbol;
  }

  List<Optional> optional() {
    return List.copyOf(optional.keySet());
  }

  List<String> extras() {
    return extras;
  }

  /** The names in the file of all numeric columns: prices, volume, optional ones, extras. */
  List<String> numbers() {
    List<String> names = new ArrayList<>(prices);
    names.addAll(optional.values());
    names.addAll(extras);
    return names;
  }
}
