package io.quantail.run.health;

import java.util.ArrayDeque;
import java.util.Deque;

/** Window of the last values of a metric. */
final class MetricHistory {
  private final int window;
  private final Deque<Double> values = new ArrayDeque<>();

  MetricHistory(int window) {
    this.window = window;
  }

  boolean full() {
    return values.size() == window;
  }

  double mean() {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /** Adds a value and drops the oldest one if the window is full. */
  void add(double value) {
    if (full()) {
      values.removeFirst();
    }
    values.addLast(value);
  }
}
