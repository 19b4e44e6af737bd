package io.quantail.app.dashboard;

/**
 * Reads numbers as logs write them, several times as fast as {@link Double#parseDouble}; whatever
 * is unusual is left to that.
 *
 * <p>A number is {@code digits 10^scale} with at most 18 digits. Product or quotient are taken in
 * twice the precision: a first result, and what is missing to the exact one by a fused
 * multiply-add, in which no digit is lost. {@code DecimalTest} holds it against the library, bit
 * for bit.
 *
 * <p>See: Dekker, "A floating-point technique for extending the available precision", 1971.
 */
final class Decimal {
  private static final int MOST_DIGITS = 18; // fit into a long
  private static final double[] POWERS = new double[23]; // of ten, as far as they are exact

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private double value;
  private int end;

  /** What was read last. */
  double value() {
    return value;
  }

  /** Where the line ends whose number was read last. */
  int end() {
    return end;
  }

  /** Reads a number that ends with its line; false if it is not an ordinary one. */
  boolean read(byte[] text, int start, int limit) {
    boolean negative = start < limit && text[start] == '-';
    int i = negative ? start + 1 : start;
    long digits = 0;
    int significant = 0;
    int point = -1;
    int first = i;
    for (; i < limit; i++) {
      int digit = text[i] - '0';
      if (digit >= 0 && digit <= 9) {
        digits = 10 * digits + digit;
        significant += digits == 0 ? 0 : 1;
      } else if (text[i] == '.' && point < 0) {
        point = i;
      } else {
        break;
      }
    }
    boolean hasDigits = i - first > (point < 0 ? 0 : 1);
    int scale = point < 0 ? 0 : point + 1 - i;
    if (i + 1 < limit && text[i] == 'E') {
      boolean below = text[i + 1] == '-';
      int exponent = 0;
      int last = i + (below ? 2 : 1);
      for (i = last; i < limit && i < last + 3 && text[i] >= '0' && text[i] <= '9'; i++) {
        exponent = 10 * exponent + text[i] - '0';
      }
      hasDigits &= i > last;
      scale += below ? -exponent : exponent;
    }
    boolean usual = hasDigits && significant <= MOST_DIGITS && Math.abs(scale) < POWERS.length;
    if (!usual || i >= limit || text[i] != '\n') {
      return false;
    }
    end = i;
    value = negative ? -scaled(digits, scale) : scaled(digits, scale);
    return true;
  }

  private static double scaled(long digits, int scale) {
    double high = digits;
    double low = digits - (long) high;
    double power = POWERS[Math.abs(scale)];
    if (scale < 0) {
      double quotient = high / power;
      return quotient + (Math.fma(-quotient, power, high) + low) / power;
    }
    double product = high * power;
    return product + (Math.fma(high, power, -product) + low * power);
  }
}
