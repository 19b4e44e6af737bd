package io.quantail.study.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.random.RandomStream;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.study.population.Hyperparameter;
import io.quantail.study.population.Hyperparameter.Range;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting that a sweep varies.
 *
 * @param where the option that named it, with a space, in front of its path in messages
 * @param path of the setting
 * @param values as they are written in a configuration; empty for a range
 * @param range of numbers, of which points are drawn; null for a list of values
 */
public record SweepAxis(String where, String path, List<String> values, @Nullable Range range) {
  private static final MathContext DIGITS = new MathContext(4);
  private static final Pattern RANGE =
      Pattern.compile("(log|linear)\\(([^,()]*),([^,()]*)\\)", Pattern.CASE_INSENSITIVE);

  public SweepAxis {
    values = List.copyOf(values);
  }

  /**
   * Parses an axis.
   *
   * @param option such as {@code --vary}
   * @param text such as {@code ppo.epochs=4,10} or {@code optimizer.learningRate=log(1e-5,1e-2)}
   */
  public static SweepAxis parse(String option, String text) {
    String where = option + " ";
    String[] parts = text.split("=", 2);
    String path = parts[0].strip();
    Matcher range = RANGE.matcher(parts.length < 2 ? "" : parts[1].strip());
    if (!path.isEmpty() && range.matches()) {
      Hyperparameter.Scale scale =
          Hyperparameter.Scale.valueOf(range.group(1).toUpperCase(Locale.ROOT));
      try {
        return range(
            where,
            path,
            scale,
            Double.parseDouble(range.group(2).strip()),
            Double.parseDouble(range.group(3).strip()));
      } catch (NumberFormatException malformed) {
        throw new ConfigException(
            where + "needs numbers, for example " + path + "=log(1e-5,1e-2), was " + text);
      }
    }
    // A comma inside brackets belongs to a value that is a list, one inside braces to a schedule.
    List<String> values =
        parts.length < 2 ? List.of() : List.of(parts[1].split(",(?![^\\[]*]|[^{]*})", -1));
    if (path.isEmpty() || values.isEmpty() || values.stream().anyMatch(String::isBlank)) {
      throw new ConfigException(
          where + "needs path=value,value, for example ppo.epochs=4,10, was " + text);
    }
    return list(where, path, values);
  }

  /**
   * An axis of a list.
   *
   * @param where the option that named it, with a space
   * @param path of the setting
   * @param values as they are written in a configuration
   */
  public static SweepAxis list(String where, String path, List<String> values) {
    return new SweepAxis(where, path, values, null);
  }

  /**
   * An axis of a range.
   *
   * @param where the option that named it, with a space
   * @param path of the setting
   * @param scale of the draws
   * @param low least number
   * @param high greatest number
   */
  public static SweepAxis range(
      String where, String path, Hyperparameter.Scale scale, double low, double high) {
    boolean log = scale == Hyperparameter.Scale.LOG;
    String name = log ? "log" : "linear";
    if (!(low < high) || !Double.isFinite(low) || !Double.isFinite(high)) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "%s%s=%s(%s,%s) needs the smaller number first",
              where,
              path,
              name,
              low,
              high));
    }
    if (log && low <= 0) {
      throw new ConfigException(
          String.format(
              Locale.ROOT, "%s%s=log(%s,%s) needs positive numbers", where, path, low, high));
    }
    return new SweepAxis(where, path, List.of(), new Range(low, high, scale, false));
  }

  /** Refuses a range, which has no end of values. */
  void requireList() {
    if (range != null) {
      throw refused("is a range, from which values are drawn; say how many with --trials N");
    }
  }

  /**
   * The value of a draw.
   *
   * @param base the settings that do not vary
   * @param number of the draw
   */
  String drawn(RunConfig base, long number) {
    double share = RandomStream.of(base.seed(), "sweep/" + path, number).nextDouble();
    if (range == null) {
      return new Hyperparameter.Choice(values).at(share).strip();
    }
    JsonNode setting = ConfigDiff.find(where, path, base);
    if (!setting.isNumber() && !setting.isNull()) {
      throw refused(
          "is %s and no number; give values instead of a range"
              .formatted(ConfigDiff.written(setting)));
    }
    boolean whole = setting.isIntegralNumber();
    String exact = new Range(range.low(), range.high(), range.scale(), whole).at(share);
    return whole ? exact : rounded(exact, range);
  }

  /** A number that a person can read, unless rounding leaves the range. */
  private static String rounded(String exact, Range range) {
    BigDecimal rounded = new BigDecimal(exact).round(DIGITS);
    boolean inside = rounded.doubleValue() >= range.low() && rounded.doubleValue() <= range.high();
    return inside ? rounded.toPlainString() : exact;
  }

  ConfigException refused(String why) {
    return new ConfigException(where + path + " " + why);
  }
}
