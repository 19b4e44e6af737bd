package io.quantail.market.data;

import io.quantail.market.data.Bars.Optional;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Builds {@link Bars} from rows. It does not validate them; {@link BarValidator} does. */
public final class BarsBuilder {
  static final int OPEN = 0;
  static final int HIGH = 1;
  static final int LOW = 2;
  static final int CLOSE = 3;
  static final int VOLUME = 4;
  private static final int REQUIRED = 5;

  final String symbol;
  long barMillis;
  private final List<Optional> optional;
  private final List<String> extras;
  private final double[][] columns;
  private long[] times;
  private int size;

  /**
   * Creates a builder of bars with the required columns only.
   *
   * @param symbol name of the symbol
   * @param barMillis duration of a bar in milliseconds
   */
  public BarsBuilder(String symbol, long barMillis) {
    this(symbol, barMillis, List.of(), List.of(), 1024);
  }

  /**
   * A builder of bars with optional and extra columns.
   *
   * @param symbol name of the symbol
   * @param barMillis duration of a bar in milliseconds
   * @param optional optional columns
   * @param extras names of the extra columns, starting with {@code x_}
   * @param capacity expected number of bars
   */
  public BarsBuilder(
      String symbol, long barMillis, List<Optional> optional, List<String> extras, int capacity) {
    this.symbol = symbol;
    this.barMillis = barMillis;
    this.optional = List.copyOf(optional);
    this.extras = List.copyOf(extras);
    this.times = new long[Math.max(1, capacity)];
    this.columns = new double[REQUIRED + optional.size() + extras.size()][times.length];
  }

  /**
   * Adds a bar.
   *
   * @param closeTime time of the close, in milliseconds since 1970 (UTC)
   * @param values open, high, low, close, volume, then optional and extra columns in the order of
   *     the constructor
   * @return this builder
   * @throws IllegalArgumentException if there is not one value per column
   */
  public BarsBuilder add(long closeTime, double... values) {
    if (values.length != columns.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a bar must have %d values, one per column, was given %d",
              columns.length,
              values.length));
    }
    if (size == times.length) {
      grow();
    }
    times[size] = closeTime;
    for (int i = 0; i < values.length; i++) {
      columns[i][size] = values[i];
    }
    size++;
    return this;
  }

  /** {@return the number of bars added so far} */
  public int size() {
    return size;
  }

  /** {@return the bars added so far} */
  public Bars build() {
    return new Bars(this);
  }

  long time(int t) {
    return times[t];
  }

  private void grow() {
    int capacity = Math.toIntExact(Math.min(Integer.MAX_VALUE - 8L, times.length * 2L));
    times = Arrays.copyOf(times, capacity);
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Arrays.copyOf(columns[i], capacity);
    }
  }

  long[] times() {
    return size == times.length ? times : Arrays.copyOf(times, size);
  }

  double[] column(int index) {
    double[] values = columns[index];
    return size == values.length ? values : Arrays.copyOf(values, size);
  }

  Map<Optional, double[]> optionalColumns() {
    Map<Optional, double[]> map = new EnumMap<>(Optional.class);
    for (int i = 0; i < optional.size(); i++) {
      map.put(optional.get(i), column(REQUIRED + i));
    }
    return map;
  }

  Map<String, double[]> extraColumns() {
    Map<String, double[]> map = new LinkedHashMap<>();
    for (int i = 0; i < extras.size(); i++) {
      map.put(extras.get(i), column(REQUIRED + optional.size() + i));
    }
    return map;
  }
}
