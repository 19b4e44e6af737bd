package io.quantail.app.console;

import java.util.List;

/** Draws a curve in one line of text. */
final class Sparkline {
  private static final String LEVELS = "▁▂▃▄▅▆▇█";

  private Sparkline() {}

  /** The values averaged into at most {@code width} columns; a flat curve stays at mid height. */
  static String of(List<Double> values, int width) {
    if (values.isEmpty()) {
      return "";
    }
    int columns = Math.min(width, values.size());
    double[] means = new double[columns];
    for (int column = 0; column < columns; column++) {
      int from = values.size() * column / columns;
      int to = values.size() * (column + 1) / columns;
      means[column] =
          values.subList(from, to).stream()
              .mapToDouble(Double::doubleValue)
              .average()
              .orElseThrow();
    }
    double low = means[0];
    double high = means[0];
    for (double mean : means) {
      low = Math.min(low, mean);
      high = Math.max(high, mean);
    }
    StringBuilder line = new StringBuilder();
    for (double mean : means) {
      double share = high > low ? (mean - low) / (high - low) : 0.5;
      line.append(LEVELS.charAt((int) Math.round(share * (LEVELS.length() - 1))));
    }
    return line.toString();
  }
}
