package io.quantail.app.report;

import java.util.Locale;

/**
 * A line of a chart; arrays of equal length, shared, must not be changed.
 *
 * @param name in the legend
 * @param x positions, such as environment steps or milliseconds since 1970 (UTC)
 * @param y values; those that are not finite leave a gap
 */
public record Curve(String name, double[] x, double[] y) {
  public Curve {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the curve %s has %d positions and %d values",
              name,
              x.length,
              y.length));
    }
  }
}
