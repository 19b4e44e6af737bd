package io.quantail.study.population;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import java.util.List;

/**
 * Values that a population may give to one setting: a range or a list.
 *
 * @param min lower end of the range; null with {@code values}
 * @param max upper end of the range; null with {@code values}
 * @param scale scale of draws from the range; default {@code linear}
 * @param values values to choose from, in an order in which neighbours are similar; default none
 * @param factor by which a value is multiplied or divided when it is perturbed; greater than 1;
 *     default 1.2
 * @param resample probability of a new draw instead; in [0, 1]; default 0.25
 */
public record HyperparameterConfig(
    Double min,
    Double max,
    Hyperparameter.Scale scale,
    List<Object> values,
    Double factor,
    Double resample) {
  public HyperparameterConfig {
    scale = scale == null ? Hyperparameter.Scale.LINEAR : scale;
    values = values == null ? List.of() : List.copyOf(values);
    factor = factor == null ? 1.2 : factor;
    resample = resample == null ? 0.25 : resample;
  }

  /** A range with the default perturbation. */
  @SuppressWarnings("NullAway") // what is missing has its default
  public static HyperparameterConfig of(Hyperparameter.Range range) {
    return new HyperparameterConfig(range.low(), range.high(), range.scale(), null, null, null);
  }

  /** A list of values with the default perturbation. */
  @SuppressWarnings("NullAway") // what is missing has its default
  public static HyperparameterConfig of(List<String> values) {
    return new HyperparameterConfig(null, null, null, List.copyOf(values), null, null);
  }

  /** Refuses invalid values and names the setting. */
  void check(String path) {
    String name = "population.hyperparameters." + path;
    if (values.isEmpty() == (min == null && max == null)) {
      throw new ConfigException(
          name + " needs either min and max or values, for example {min: 0.0001, max: 0.01}");
    }
    if (values.isEmpty()) {
      checkRange(name);
    } else if (values.size() < 2 || values.stream().distinct().count() < values.size()) {
      throw new ConfigException(name + ".values needs two or more different ones, was " + values);
    }
    if (!(factor > 1) || !Double.isFinite(factor)) {
      throw new ConfigException(name + ".factor must be greater than 1, was " + factor);
    }
    Check.fraction(name + ".resample", resample);
  }

  private void checkRange(String name) {
    if (min == null || max == null) {
      throw new ConfigException(name + " needs both min and max");
    }
    if (!(min < max)) {
      throw new ConfigException(
          "%s.min must be less than max (%s), was %s".formatted(name, max, min));
    }
    if (scale == Hyperparameter.Scale.LOG && min <= 0) {
      throw new ConfigException(
          name + ".min must be positive when scale is log, was " + Check.plain(min));
    }
  }
}
