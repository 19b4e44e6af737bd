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

/** Assigns the columns of a file to the columns of bars, see {@link ColumnNames}. */
final class ColumnLayout {
  /** Which time of a bar the time column has, according to its name. */
  enum TimeColumn {
    CLOSE,
    OPEN,
    UNKNOWN
  }

  private final @Nullable String time;
  private final @Nullable String clock;
  private final TimeColumn timeColumn;
  private final @Nullable String symbol;
  private final @Nullable String adjusted;
  private final boolean volumeGiven;
  private final List<String> prices;
  private final Map<Optional, String> optional;
  private final List<String> extras;
  private final List<String> missing;

  /**
   * A layout of columns with names.
   *
   * @param header names of the columns
   * @param declared whether the names are those of {@link BarFileLayout#columns}, of which volume
   *     may be absent and {@code time} belongs to {@code date}
   */
  ColumnLayout(List<String> header, boolean declared) {
    Map<String, String> byName = new LinkedHashMap<>();
    header.forEach(name -> byName.putIfAbsent(ColumnNames.fold(name), name));
    missing = new ArrayList<>();
    String closeTime = find(byName, ColumnNames.CLOSE_TIMES);
    String openTime = find(byName, ColumnNames.OPEN_TIMES);
    boolean pair = declared && byName.containsKey("date");
    String plain = find(byName, pair ? List.of("date") : ColumnNames.TIMES);
    time = closeTime != null ? closeTime : openTime != null ? openTime : plain;
    clock = pair ? byName.get("time") : null;
    timeColumn =
        closeTime != null
            ? TimeColumn.CLOSE
            : openTime != null ? TimeColumn.OPEN : TimeColumn.UNKNOWN;
    if (time == null) {
      missing.add("ts");
    }
    symbol = find(byName, ColumnNames.SYMBOLS);
    adjusted = find(byName, ColumnNames.ADJUSTED);
    prices = new ArrayList<>();
    for (int i = 0; i < ColumnNames.PRICES.size(); i++) {
      String found = find(byName, ColumnNames.PRICES.get(i));
      boolean optionalVolume = declared && i == BarsBuilder.VOLUME;
      prices.add(found == null ? ColumnNames.REQUIRED.get(i) : found);
      if (found == null && !optionalVolume) {
        missing.add(ColumnNames.REQUIRED.get(i));
      }
    }
    volumeGiven = find(byName, ColumnNames.PRICES.get(BarsBuilder.VOLUME)) != null;
    optional = new EnumMap<>(Optional.class);
    ColumnNames.OPTIONAL.forEach(
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

  /** The required columns that the file does not have. */
  List<String> missing() {
    return missing;
  }

  String time() {
    return Objects.requireNonNull(time);
  }

  /** The column with the time of day, if {@link #time} has the date alone; null otherwise. */
  @Nullable String clock() {
    return clock;
  }

  TimeColumn timeColumn() {
    return timeColumn;
  }

  /** The name of the column with the symbol, or null. */
  @Nullable String symbol() {
    return symbol;
  }

  /** The name of the column with the adjusted close, or null. */
  @Nullable String adjusted() {
    return adjusted;
  }

  /** Whether the file has volumes; they are 0 otherwise. */
  boolean hasVolume() {
    return volumeGiven;
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
