package io.quantail.health;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last values of a metric. */
final class History {
  private final int window;
  private final Deque<Double> values = new ArrayDeque<>();

  History(int window) {
    this.window = window;
  }

  boolean full() {
    return values.size() == window;
  }

  double mean() {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /** Takes in a value; the oldest makes room. */
  void add(double value) {
    if (full()) {
      values.removeFirst();
    }
    values.addLast(value);
  }
}
