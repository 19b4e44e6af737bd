package io.quantail.market.split;

import java.util.Locale;

/**
 * A range of bars. Decisions are taken at the closes of {@code from} to {@code to - 2}: the last
 * one is filled and marked on bar {@code to - 1}.
 *
 * @param from first bar, at least 0
 * @param to end of the range, exclusive; at least {@code from}
 */
public record BarRange(int from, int to) {
  public BarRange {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "a range of bars must have 0 <= from <= to, was %d to %d", from, to));
    }
  }

  /** The number of bars. */
  public int size() {
    return to - from;
  }

  /** Whether bar {@code t} is in the range. */
  public boolean contains(int t) {
    return t >= from && t < to;
  }
}
