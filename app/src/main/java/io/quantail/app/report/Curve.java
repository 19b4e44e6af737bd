package io.quantail.app.report;

/**
 * A line of a chart; arrays of equal length, shared, not to be changed.
 *
 * @param name what a legend calls it
 * @param x places, such as environment steps or milliseconds since 1970 (UTC)
 * @param y values; what is not finite leaves a hole
 */
public record Curve(String name, double[] x, double[] y) {
  public Curve {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "the curve %s has %d places and %d values".formatted(name, x.length, y.length));
    }
  }
}
