package io.quantail.testing.vectors;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How far an actual number may be from the expected one.
 *
 * <p>{@code 1e-9 + 1e-6 |expected|}, or the vector's own tolerance where that is smaller. Vectors
 * made by other libraries (names starting with {@code gymnasium_} or {@code sb3_}) bring a
 * tolerance that is used as it stands; since they compute partly in single precision, one rounding
 * to it is allowed on top.
 *
 * @param own the vector's own tolerance, NaN when it has none
 * @param fromPeer whether another library made the vector
 */
record Tolerance(double own, boolean fromPeer) {
  private static final double SINGLE_PRECISION = 0x1p-23;

  static Tolerance of(JsonNode vector) {
    JsonNode own = vector.path("tolerance");
    String name = vector.path("name").asText();
    return new Tolerance(
        own.isNumber() ? own.doubleValue() : Double.NaN,
        name.startsWith("gymnasium_") || name.startsWith("sb3_"));
  }

  /**
   * Whether the actual number is near enough.
   *
   * @param rounding additional tolerance for rounding
   */
  boolean accepts(double actual, double expected, double rounding) {
    if (Double.isNaN(expected) || Double.isInfinite(expected)) {
      return Double.compare(actual, expected) == 0;
    }
    return Math.abs(actual - expected) <= allowed(expected) + rounding;
  }

  private double allowed(double expected) {
    double usual = 1e-9 + 1e-6 * Math.abs(expected);
    if (Double.isNaN(own)) {
      return usual;
    }
    return fromPeer ? own + SINGLE_PRECISION * Math.abs(expected) : Math.min(own, usual);
  }
}
