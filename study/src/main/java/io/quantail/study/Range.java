package io.quantail.study;

import io.quantail.study.population.Hyperparameter;
import io.quantail.study.population.HyperparameterConfig;
import io.quantail.study.sweep.SweepAxis;
import java.util.Locale;
import java.util.stream.Stream;

/** The values that a study may give to a setting. */
public final class Range {
  private static final String WHERE = "vary ";
  private static final String ANY = "range";

  private final SweepAxis axis; // of any setting

  private Range(SweepAxis axis) {
    this.axis = axis;
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
    return new Range(SweepAxis.range(WHERE, ANY, scale, low, high));
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
    return new Range(SweepAxis.list(WHERE, ANY, Stream.of(values).map(String::valueOf).toList()));
  }

  SweepAxis axis(String path) {
    return new SweepAxis(WHERE, path, axis.values(), axis.range());
  }

  HyperparameterConfig hyperparameter() {
    Hyperparameter.Range range = axis.range();
    return range == null ? HyperparameterConfig.of(axis.values()) : HyperparameterConfig.of(range);
  }

  @Override
  public String toString() {
    Hyperparameter.Range range = axis.range();
    return range == null
        ? String.join(",", axis.values())
        : String.format(
            Locale.ROOT,
            "%s(%s,%s)",
            range.scale().name().toLowerCase(Locale.ROOT),
            range.low(),
            range.high());
  }
}
