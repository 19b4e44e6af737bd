package io.quantail.study.population;

import io.quantail.config.Check;
import io.quantail.random.RandomStream;
import java.util.List;

/**
 * Explores the values of one setting. Values are texts as in a configuration.
 *
 * <p>See: Jaderberg et al., "Population based training of neural networks", 2017, arXiv:1711.09846.
 * We multiply or divide by the same factor, so that the two undo each other, and stop at the ends
 * of a range or list. Pinned by {@code pbt_perturb}, {@code pbt_resample} and {@code
 * pbt_categorical_step}.
 *
 * @param path of the setting
 * @param domain the values it may have
 * @param factor by which a number is multiplied or divided
 * @param resample probability of drawing a new value
 */
public record Hyperparameter(String path, Domain domain, double factor, double resample) {

  /** The values that a setting may have. */
  public sealed interface Domain {
    /** The value at a fraction in [0, 1] of the domain. */
    String at(double share);

    /** A neighbour: up for a fraction below 0.5, down otherwise. */
    String neighbour(String value, double share, double factor);
  }

  /**
   * Numbers of an interval.
   *
   * @param low least
   * @param high greatest
   * @param scale of the draws
   * @param whole whether only whole numbers count
   */
  public record Range(double low, double high, Scale scale, boolean whole) implements Domain {
    @Override
    public String at(double share) {
      return written(number(share));
    }

    double number(double share) {
      if (scale == Scale.LINEAR) {
        return low + share * (high - low);
      }
      double bottom = StrictMath.log(low);
      return clip(StrictMath.exp(bottom + share * (StrictMath.log(high) - bottom)));
    }

    @Override
    public String neighbour(String value, double share, double factor) {
      double before = Double.parseDouble(value);
      double after = moved(before, share, factor);
      if (whole && Math.rint(after) == before) {
        after = clip(before + (share < 0.5 ? 1 : -1)); // a factor near 1 must not get stuck
      }
      return written(after);
    }

    double moved(double value, double share, double factor) {
      return clip(share < 0.5 ? value * factor : value / factor);
    }

    boolean contains(double value) {
      return value >= low && value <= high;
    }

    private double clip(double value) {
      return Math.max(low, Math.min(high, value));
    }

    private String written(double value) {
      return whole ? Long.toString((long) clip(Math.rint(value))) : Check.plain(value);
    }
  }

  /**
   * Values of a list.
   *
   * @param values in an order in which neighbours are similar
   */
  public record Choice(List<String> values) implements Domain {
    public Choice {
      values = List.copyOf(values);
    }

    @Override
    public String at(double share) {
      return values.get((int) Math.min(values.size() - 1L, (long) (share * values.size())));
    }

    @Override
    public String neighbour(String value, double share, double factor) {
      int place = values.indexOf(value) + (share < 0.5 ? 1 : -1);
      return values.get(Math.max(0, Math.min(values.size() - 1, place)));
    }
  }

  /** A value near the given one or, with the probability of resampling, a new draw. */
  String explore(String value, RandomStream random) {
    boolean anew = random.nextDouble() < resample;
    double share = random.nextDouble();
    return anew ? domain.at(share) : domain.neighbour(value, share, factor);
  }

  /** A draw from the domain. */
  String sample(RandomStream random) {
    return domain.at(random.nextDouble());
  }

  /** Scale on which values of a range are drawn. */
  public enum Scale {
    /** Uniform. */
    LINEAR,
    /** Uniform in the logarithm. */
    LOG
  }
}
