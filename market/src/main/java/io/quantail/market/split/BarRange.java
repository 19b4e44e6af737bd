package io.quantail.market.split;

/**
 * The bars {@code from} (inclusive) to {@code to} (exclusive).
 *
 * <p>Decisions are taken at the closes of {@code from} to {@code to - 2}: the last one is filled
 * and marked on bar {@code to - 1}.
 */
public record BarRange(int from, int to) {
  public BarRange {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "a range of bars needs 0 <= from <= to: " + from + ", " + to);
    }
  }

  public int size() {
    return to - from;
  }

  public boolean contains(int t) {
    return t >= from && t < to;
  }
}
