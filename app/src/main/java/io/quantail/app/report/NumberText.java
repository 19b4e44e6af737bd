package io.quantail.app.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats numbers with units, independent of the locale. */
final class NumberText {
  private static final String UNDEFINED = "n/a";
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private NumberText() {}

  /** A fraction as a percentage with its sign, such as {@code +1.25 %}. */
  static String change(double share) {
    return percent(share, share == 0 ? "%.2f %%" : "%+.2f %%");
  }

  /** A fraction as a percentage, such as {@code 1.25 %}. */
  static String share(double share) {
    return percent(share, "%.2f %%");
  }

  /** A small fraction as a percentage, such as the return of a bar. */
  static String small(double share) {
    return percent(share, "%.3f %%");
  }

  /** A fraction in percent with one digit and without the unit, for narrow cells. */
  static String points(double share) {
    return format(Math.abs(share) >= 10 ? "%+.0f" : "%+.1f", 100 * share);
  }

  private static String percent(double share, String pattern) {
    double percent = 100 * share;
    // Annualised returns of short periods can be too large for fixed digits.
    return format(Math.abs(percent) >= 1e6 ? pattern.replace(".2f", ".1e") : pattern, percent);
  }

  static String decimal(double value) {
    return format("%,.2f", value);
  }

  /** A number of any size with enough digits. */
  static String general(double value) {
    double size = Math.abs(value);
    String pattern = size >= 1e7 || (size > 0 && size < 1e-4) ? "%.3e" : digits(size);
    return format(pattern, value);
  }

  private static String digits(double size) {
    return size >= 10 ? "%,.2f" : "%.4f";
  }

  /** A number of bars that may end in a half. */
  static String bars(double value) {
    return format(value == Math.rint(value) ? "%,.0f" : "%,.1f", value);
  }

  static String whole(double value) {
    return format("%,.0f", value);
  }

  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** A formatted number with the minus sign of the others. */
  static String minus(String number) {
    return number.replace('-', '−');
  }

  /** A time in UTC, to the minute. */
  static String time(long millis) {
    return MINUTE.format(Instant.ofEpochMilli(millis));
  }

  private static String format(String pattern, double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "∞" : "−∞";
    }
    if (Double.isNaN(value)) {
      return UNDEFINED;
    }
    String text = String.format(Locale.ROOT, pattern, value);
    boolean zero = text.chars().noneMatch(character -> character >= '1' && character <= '9');
    return (zero ? text.replaceFirst("^[-+]", "") : text).replace('-', '−');
  }
}
