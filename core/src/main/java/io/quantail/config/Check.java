package io.quantail.config;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.ObjDoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The range checks of configuration records, those of modules included: each message names the
 * setting, its range and the given value. Every check of a fractional number refuses NaN and
 * infinities.
 */
public final class Check {
  private Check() {}

  public static void within(String path, long value, long low, long high) {
    require(value >= low && value <= high, path, "in [" + low + ", " + high + "]", value);
  }

  public static void atLeast(String path, long value, long low) {
    require(value >= low, path, "at least " + low, value);
  }

  /** For settings that are off at 0. */
  public static void zeroOrAtLeast(String path, long value, long low) {
    require(value == 0 || value >= low, path, "0 or at least " + low, value);
  }

  public static void within(String path, double value, double low, double high) {
    finite(path, value);
    require(
        value >= low && value <= high, path, "in [" + plain(low) + ", " + plain(high) + "]", value);
  }

  public static void atLeast(String path, double value, double low) {
    finite(path, value);
    require(value >= low, path, "at least " + plain(low), value);
  }

  public static void positive(String path, long value) {
    require(value > 0, path, "positive", value);
  }

  public static void finite(String path, double value) {
    if (!Double.isFinite(value)) {
      throw new ConfigException(path + " must be a finite number, was " + value);
    }
  }

  public static void positive(String path, double value) {
    finite(path, value);
    require(value > 0, path, "positive", value);
  }

  public static void notNegative(String path, double value) {
    finite(path, value);
    require(value >= 0, path, "at least 0", value);
  }

  /** In (0, 1). */
  public static void insideUnit(String path, double value) {
    finite(path, value);
    require(value > 0 && value < 1, path, "in (0, 1)", value);
  }

  /** In [0, 1]. */
  public static void fraction(String path, double value) {
    finite(path, value);
    require(value >= 0 && value <= 1, path, "in [0, 1]", value);
  }

  /** In (0, 1]. */
  public static void positiveFraction(String path, double value) {
    finite(path, value);
    require(value > 0 && value <= 1, path, "in (0, 1]", value);
  }

  /** In [0, 1). */
  public static void decay(String path, double value) {
    finite(path, value);
    require(value >= 0 && value < 1, path, "in [0, 1)", value);
  }

  /** Applies a check of numbers to both ends of a schedule, or to its number if it is constant. */
  public static void ends(
      String path, CoefficientSchedule schedule, ObjDoubleConsumer<String> check) {
    present(path, schedule);
    if (schedule.isConstant()) {
      check.accept(path, schedule.from());
    } else {
      check.accept(path + ".from", schedule.from());
      check.accept(path + ".to", schedule.to());
    }
  }

  /**
   * Refuses a setting that moves a coefficient during a run beside a schedule, which moves it too.
   *
   * @param unused how the other setting is written when it has no effect: 0 or null
   */
  public static void notBeside(
      String path,
      CoefficientSchedule schedule,
      String other,
      String unused,
      @Nullable Number value) {
    String written = value == null ? "null" : plain(value.doubleValue());
    if (!schedule.isConstant() && !written.equals(unused)) {
      throw new ConfigException(
          "%s must be %s when %s is a schedule, was %s; leave one of them out"
              .formatted(other, unused, path, written));
    }
  }

  public static void present(String path, @Nullable Object value) {
    if (value == null) {
      throw new ConfigException(path + " needs a value, was null");
    }
  }

  public static void notBlank(String path, String value) {
    present(path, value);
    if (value.isBlank()) {
      throw new ConfigException(path + " must not be blank");
    }
  }

  /** {@code upper >= lower}, for two settings that bound each other. */
  public static void notBelow(Setting upper, Setting lower) {
    requireOrder(upper.value() >= lower.value(), upper, "at least", lower);
  }

  /** {@code upper > lower}, for two settings that bound each other. */
  public static void above(Setting upper, Setting lower) {
    requireOrder(upper.value() > lower.value(), upper, "greater than", lower);
  }

  /** The refusal of a name, with the allowed ones and the nearest of them. */
  public static ConfigException notOneOf(String path, String name, List<String> allowed) {
    String hint =
        SettingNames.nearest(name, allowed).map(near -> "; did you mean " + near + "?").orElse("");
    return new ConfigException(
        "%s must be one of %s, was \"%s\"%s"
            .formatted(path, String.join(", ", allowed), name, hint));
  }

  /** A number in plain decimal notation: 2 and 0.0003 rather than 2.0 and 3.0E-4. */
  public static String plain(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  private static void require(boolean holds, String path, String bound, long value) {
    if (!holds) {
      throw new ConfigException(path + " must be " + bound + ", was " + value);
    }
  }

  private static void require(boolean holds, String path, String bound, double value) {
    if (!holds) {
      throw new ConfigException(path + " must be " + bound + ", was " + plain(value));
    }
  }

  private static void requireOrder(boolean holds, Setting upper, String bound, Setting lower) {
    if (!holds) {
      throw new ConfigException(
          "%s must be %s %s (%s), was %s; raise the first or lower the second"
              .formatted(
                  upper.path(), bound, lower.path(), plain(lower.value()), plain(upper.value())));
    }
  }

  /** A number and where it is set. */
  public record Setting(String path, double value) {}
}
