package io.quantail.evidence;

import io.quantail.evidence.EvidenceException.Kind;
import java.util.Locale;

/** Refuses series of returns from which nothing can be concluded. */
final class Returns {
  /** Fewer returns support no statement about luck or about a tail. */
  static final int FEWEST = 30;

  /** A range below this fraction of the largest value is rounding. */
  private static final double ROUNDING = 1e-12;

  private Returns() {}

  /** Refuses a series that is too short or not finite. */
  static void require(String name, double[] values) {
    requireFinite(name, values);
    if (values.length < FEWEST) {
      throw new EvidenceException(
          Kind.TOO_FEW_RETURNS,
          String.format(
              Locale.ROOT,
              "%s has %d values, at least %d are needed; use more bars",
              name,
              values.length,
              FEWEST));
    }
  }

  /** Refuses a series that is too short, not finite or constant. */
  static void requireVarying(String name, double[] values) {
    require(name, values);
    if (isConstant(values)) {
      throw new EvidenceException(
          Kind.NO_SPREAD,
          String.format(
              Locale.ROOT,
              "all %d values of %s are %s, so no ratio of them is defined; was a position held at all?",
              values.length,
              name,
              values[0]));
    }
  }

  static void requireFinite(String name, double[] values) {
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new EvidenceException(
            Kind.NON_FINITE_INPUT,
            String.format(
                Locale.ROOT,
                "value %d of %d of %s is not a finite number; correct the series",
                i,
                values.length,
                name));
      }
    }
  }

  static void requireSameLength(String name, int length, String other, int otherLength) {
    if (length != otherLength) {
      throw new EvidenceException(
          Kind.UNEQUAL_LENGTHS,
          String.format(
              Locale.ROOT,
              "%s has %d values and %s has %d; both must be of the same bars",
              name,
              length,
              other,
              otherLength));
    }
  }

  /** Whether the values differ by no more than rounding. */
  static boolean isConstant(double[] values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return !(high - low > ROUNDING * Math.max(Math.abs(low), Math.abs(high)));
  }

  static void requireLevel(double alpha) {
    if (!(alpha > 0 && alpha < 1)) {
      throw new IllegalArgumentException("a level must be in (0, 1), was " + alpha);
    }
  }
}
