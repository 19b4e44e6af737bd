package io.quantail.market.split;

import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import java.util.Arrays;
import java.util.List;

/** The closes that all symbols have, so that several symbols share the borders of their folds. */
public final class CommonTimes {
  private CommonTimes() {}

  /**
   * The common closes in ascending order, in milliseconds since 1970 (UTC).
   *
   * @throws DataException if there is none
   */
  public static long[] of(List<Bars> symbols) {
    long[] times = times(symbols.get(0));
    for (Bars symbol : symbols.subList(1, symbols.size())) {
      long[] others = times(symbol);
      times = Arrays.stream(times).filter(t -> Arrays.binarySearch(others, t) >= 0).toArray();
    }
    if (times.length == 0) {
      throw new DataException(
          "%s have no bar in common, so they cannot share folds; run one walk-forward for each symbol"
              .formatted(symbols.stream().map(Bars::symbol).toList()));
    }
    return times;
  }

  private static long[] times(Bars bars) {
    long[] times = new long[bars.size()];
    Arrays.setAll(times, bars::time);
    return times;
  }
}
