package io.quantail.audit;

import java.util.Locale;

/**
 * What a check found.
 *
 * @param measured what was measured, to be read by people
 * @param bound what would have been allowed; empty where nothing is judged
 * @param detail what it means if it failed, why it was skipped, or what else was seen
 */
public record Outcome(Verdict verdict, String measured, String bound, String detail) {

  /** Passes if an error is at most a bound; the meaning is told if it is not. */
  public static Outcome error(double error, double bound, String meaning) {
    boolean passed = error <= bound; // one that is not a number fails
    return of(passed, number(error), "<= " + number(bound), passed ? "" : meaning);
  }

  /** The same with a note that is told in any case. */
  public static Outcome noted(double error, double bound, String note) {
    return of(error <= bound, number(error), "<= " + number(bound), note);
  }

  /** Passes if a condition holds. */
  public static Outcome of(boolean passed, String measured, String bound, String note) {
    return new Outcome(passed ? Verdict.PASS : Verdict.FAIL, measured, bound, note);
  }

  public static Outcome skipped(String reason) {
    return new Outcome(Verdict.SKIPPED, "-", "", reason);
  }

  public static Outcome info(String measured, String detail) {
    return new Outcome(Verdict.INFO, measured, "", detail);
  }

  /** A check that could not be carried through. */
  static Outcome thrown(Throwable failure) {
    return new Outcome(Verdict.FAIL, "threw", "no exception", failure.toString());
  }

  /** Two significant digits are enough to judge an error. */
  public static String number(double value) {
    if (value == 0 || Math.abs(value) >= 0.01 && Math.abs(value) < 1e5) {
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
