package io.quantail.audit;

import java.util.Locale;

/**
 * The result of one check.
 *
 * @param status of the check
 * @param measured what was measured, as text
 * @param bound what is allowed; empty if nothing is compared with a bound
 * @param detail what a failure means, why the check was skipped, or further measurements
 */
public record AuditOutcome(Status status, String measured, String bound, String detail) {

  /** The status of a check after it ran. */
  public enum Status {
    /** The measurement is within its bound. */
    PASS,
    /** The measurement is outside of its bound, or the check ended with an exception. */
    FAIL,
    /** The configuration does not use the subject of the check. */
    SKIPPED,
    /** There is no bound; the measurement is information. */
    INFO
  }

  /**
   * Passes if a condition holds.
   *
   * @param passed the condition
   * @param measured what was measured, as text
   * @param bound what is allowed
   * @param detail what a failure means, or further measurements
   * @return the outcome
   */
  public static AuditOutcome of(boolean passed, String measured, String bound, String detail) {
    return new AuditOutcome(passed ? Status.PASS : Status.FAIL, measured, bound, detail);
  }

  /**
   * Passes if none of the compared items differ.
   *
   * @param wrong number of items that differ
   * @param compared number of items
   * @param detail what a failure means, or further measurements
   * @return the outcome
   */
  public static AuditOutcome differences(int wrong, int compared, String detail) {
    return of(
        wrong == 0, String.format(Locale.ROOT, "%d of %d differ", wrong, compared), "0", detail);
  }

  /**
   * A check that does not apply.
   *
   * @param reason why it was skipped
   * @return the outcome
   */
  public static AuditOutcome skipped(String reason) {
    return new AuditOutcome(Status.SKIPPED, "-", "", reason);
  }

  /**
   * A measurement without a bound.
   *
   * @param measured what was measured, as text
   * @param detail further measurements
   * @return the outcome
   */
  public static AuditOutcome info(String measured, String detail) {
    return new AuditOutcome(Status.INFO, measured, "", detail);
  }

  static AuditOutcome thrown(Throwable failure) {
    return of(false, "threw", "no exception", failure.toString());
  }

  /** Puts the meaning of a failure before its detail; other outcomes stay unchanged. */
  AuditOutcome explained(String meaning) {
    return status == Status.FAIL
        ? of(false, measured, bound, detail.isEmpty() ? meaning : meaning + "; " + detail)
        : this;
  }

  /**
   * Formats a number with up to four significant digits, small ones with two.
   *
   * @param value the number
   * @return the text
   */
  public static String number(double value) {
    if (value == 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 1e5)) {
      return String.format(Locale.ROOT, "%.4g", value)
          .replaceFirst("(\\.\\d*?)0+$", "$1")
          .replaceFirst("\\.$", "");
    }
    return String.format(Locale.ROOT, "%.1e", value)
        .replace(".0e", "e")
        .replace("e-0", "e-")
        .replace("e+0", "e");
  }
}
