package io.quantail.run.health;

import java.math.BigDecimal;
import java.math.MathContext;

/** Formats numbers in messages with four significant digits, independent of the locale. */
final class RuleFigures {
  private static final MathContext DIGITS = new MathContext(4);
  private static final double SMALL = 1e-4;
  private static final double LARGE = 1e7;

  private RuleFigures() {}

  static String shown(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : Double.toString(value);
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    double size = Math.abs(value);
    return size < SMALL || size >= LARGE
        ? rounded.unscaledValue().bitLength() == 0 ? "0" : exponent(rounded)
        : rounded.toPlainString();
  }

  /** {@code 1.5e-9}. */
  private static String exponent(BigDecimal number) {
    int power = number.precision() - number.scale() - 1;
    return number.scaleByPowerOfTen(-power).toPlainString() + "e" + power;
  }
}
