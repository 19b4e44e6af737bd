package io.quantail.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The largest error of a comparison, with notes for the report.
 *
 * <p>An error that is not a number exceeds every bound.
 */
public final class Deviation {
  private final List<String> notes = new ArrayList<>();
  private double error;
  private boolean holds = true;

  /**
   * A comparison that measured one error.
   *
   * @param error absolute or relative, not negative
   * @return the comparison
   */
  public static Deviation of(double error) {
    return new Deviation().add(error);
  }

  /**
   * Adds an error.
   *
   * @param other absolute or relative, not negative
   * @return this comparison
   */
  public Deviation add(double other) {
    error = Math.max(error, other);
    return this;
  }

  /**
   * Adds the difference of two numbers.
   *
   * @param actual number of production code
   * @param expected number of the reference
   * @return this comparison
   */
  public Deviation add(double actual, double expected) {
    return add(actual, expected, 1);
  }

  /**
   * Adds the difference of two numbers in some unit.
   *
   * @param actual number of production code
   * @param expected number of the reference
   * @param unit by which the difference is divided
   * @return this comparison
   */
  public Deviation add(double actual, double expected, double unit) {
    return add(Math.abs(actual - expected) / unit);
  }

  /**
   * Adds the largest difference of two arrays.
   *
   * @param actual numbers of production code
   * @param expected numbers of the reference
   * @return this comparison
   */
  public Deviation add(double[] actual, double[] expected) {
    return add(absolute(actual, expected));
  }

  /**
   * Adds a condition without which the check fails.
   *
   * @param condition whether it holds
   * @return this comparison
   */
  public Deviation require(boolean condition) {
    holds &= condition;
    return this;
  }

  /**
   * Adds a note; numbers of type {@code double} are shortened.
   *
   * @param format as in {@link String#format}
   * @param values of the format
   * @return this comparison
   */
  public Deviation note(String format, Object... values) {
    Object[] texts =
        Arrays.stream(values)
            .map(value -> value instanceof Double number ? AuditOutcome.number(number) : value)
            .toArray();
    notes.add(String.format(Locale.ROOT, format, texts));
    return this;
  }

  /** {@return the largest error so far} */
  public double error() {
    return error;
  }

  /**
   * Passes if the largest error is at most a bound and all conditions hold.
   *
   * @param bound largest allowed error
   * @return the outcome
   */
  public AuditOutcome within(double bound) {
    return AuditOutcome.of(
        error <= bound && holds,
        AuditOutcome.number(error),
        "<= " + AuditOutcome.number(bound),
        String.join("; ", notes));
  }

  /**
   * Finds the largest absolute value of an array.
   *
   * @param values may be empty
   * @return the largest absolute value; 0 if there are none
   */
  public static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElse(0);
  }

  /**
   * Measures the largest difference relative to the largest expected value.
   *
   * @param actual numbers of production code
   * @param expected numbers of the reference
   * @return the relative error; infinite if a difference is NaN
   */
  public static double relative(double[] actual, double[] expected) {
    double size = largest(expected);
    return absolute(actual, expected) / (size == 0 ? 1 : size);
  }

  /**
   * Measures the largest difference.
   *
   * @param actual numbers of production code
   * @param expected numbers of the reference
   * @return the absolute error; infinite if a difference is NaN
   */
  public static double absolute(double[] actual, double[] expected) {
    if (actual.length != expected.length) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "%d numbers where %d were expected", actual.length, expected.length));
    }
    double largest = 0;
    for (int i = 0; i < actual.length; i++) {
      double difference = Math.abs(actual[i] - expected[i]);
      largest = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(largest, difference);
    }
    return largest;
  }

  /**
   * Measures the norm of the difference relative to the norm of the expected array.
   *
   * @param actual numbers of production code
   * @param expected numbers of the reference
   * @return the relative error
   */
  public static double ofNorms(double[] actual, double[] expected) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < expected.length; i++) {
      difference += (actual[i] - expected[i]) * (actual[i] - expected[i]);
      size += expected[i] * expected[i];
    }
    return size == 0 ? Math.sqrt(difference) : Math.sqrt(difference / size);
  }
}
