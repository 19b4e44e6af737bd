package io.quantail.study;

import io.quantail.study.population.Hyperparameter;
import io.quantail.study.population.HyperparameterConfig;
import io.quantail.study.sweep.SweepAxis;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values that a study may give to a setting. */
public final class Range {
  private static final String WHERE = "vary ";

  private final List<String> values;
  private final Hyperparameter.@Nullable Range range;

  private Range(List<String> values, Hyperparameter.@Nullable Range range) {
    this.values = values;
    this.range = range;
  }

  /**
   * Numbers that are drawn uniformly in the logarithm, for settings such as the learning rate.
   *
   * @param low least number, positive
   * @param high greatest number
   * @return the range
   */
  public static Range log(double low, double high) {
    return between(Hyperparameter.Scale.LOG, low, high);
  }

  /**
   * Numbers that are drawn uniformly; whole ones for settings that are whole.
   *
   * @param low least number
   * @param high greatest number
   * @return the range
   */
  public static Range linear(double low, double high) {
    return between(Hyperparameter.Scale.LINEAR, low, high);
  }

  private static Range between(Hyperparameter.Scale scale, double low, double high) {
    return new Range(List.of(), SweepAxis.range(WHERE, "range", scale, low, high).range());
  }

  /**
   * Values of a list, for a population in an order in which neighbours are similar.
   *
   * @param values as they are written in a configuration
   * @return the list
   */
  public static Range of(Object... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a list needs at least one value");
    }
    return new Range(Stream.of(values).map(String::valueOf).toList(), null);
  }

  SweepAxis axis(String path) {
    return new SweepAxis(WHERE, path, values, range);
  }

  HyperparameterConfig hyperparameter() {
    return range == null
        ? new HyperparameterConfig(null, null, null, List.copyOf(values), null, null)
        : new HyperparameterConfig(range.low(), range.high(), range.scale(), null, null, null);
  }

  @Override
  public String toString() {
    return range == null
        ? String.join(",", values)
        : String.format(
            Locale.ROOT,
            "%s(%s,%s)",
            range.scale().name().toLowerCase(Locale.ROOT),
            range.low(),
            range.high());
  }
}
