package io.quantail.evidence;

import java.util.Arrays;

/**
 * A distribution read from a few quantiles: linear between their levels, with exponential tails.
 *
 * <p>Quantiles are sorted first. Below the lowest level {@code t_0}, {@code D(v) = q_0 + b ln(v /
 * t_0)}, {@code b = (q_1 - q_0) / ln(t_1 / t_0)}; the same mirrored above the highest. {@code VaR_a
 * = D(a)}, {@code CVaR_a = (1/a)} times the integral of D from 0 to a; the part below {@code t_0}
 * is {@code t_0 (q_0 - b)}. Draws do not go beyond 0.001 of the outer level, integrals do. Pinned
 * by the vectors {@code next_bar_head*}.
 */
public final class QuantileForecast implements BarForecast {
  private static final double LOWEST_DRAW = 0.001;

  private final double[] levels;
  private final double[] quantiles;
  private final double lowerScale;
  private final double upperScale;

  /**
   * Reads a distribution.
   *
   * @param levels at least two, ascending, in (0, 1)
   * @param quantiles one for each level, in any order
   */
  public QuantileForecast(double[] levels, double[] quantiles) {
    Returns.requireFinite("the forecast", quantiles);
    Returns.requireSameLength("the forecast", quantiles.length, "its levels", levels.length);
    this.levels = levels.clone();
    this.quantiles = quantiles.clone();
    Arrays.sort(this.quantiles);
    int last = levels.length - 1;
    lowerScale = (this.quantiles[1] - this.quantiles[0]) / Math.log(levels[1] / levels[0]);
    upperScale =
        (this.quantiles[last] - this.quantiles[last - 1])
            / Math.log((1 - levels[last - 1]) / (1 - levels[last]));
  }

  @Override
  public double quantile(double level) {
    Returns.requireLevel(level);
    return at(level);
  }

  @Override
  public double draw(double uniform) {
    double lowest = LOWEST_DRAW * levels[0];
    double highest = 1 - LOWEST_DRAW * (1 - levels[levels.length - 1]);
    return at(Math.max(lowest, Math.min(highest, uniform)));
  }

  private double at(double level) {
    int last = levels.length - 1;
    if (level < levels[0]) {
      return quantiles[0] + lowerScale * Math.log(level / levels[0]);
    }
    if (level >= levels[last]) {
      return quantiles[last] - upperScale * Math.log((1 - level) / (1 - levels[last]));
    }
    int below = 0;
    while (levels[below + 1] <= level) {
      below++;
    }
    return between(below, level);
  }

  private double between(int below, double level) {
    double fraction = (level - levels[below]) / (levels[below + 1] - levels[below]);
    return quantiles[below] + fraction * (quantiles[below + 1] - quantiles[below]);
  }

  @Override
  public double cumulative(double value) {
    int last = levels.length - 1;
    if (value < quantiles[0]) {
      return lowerScale == 0 ? 0 : levels[0] * Math.exp((value - quantiles[0]) / lowerScale);
    }
    if (value >= quantiles[last]) {
      return upperScale == 0
          ? 1
          : 1 - (1 - levels[last]) * Math.exp((quantiles[last] - value) / upperScale);
    }
    int below = 0;
    while (quantiles[below + 1] <= value) {
      below++;
    }
    double fraction = (value - quantiles[below]) / (quantiles[below + 1] - quantiles[below]);
    return levels[below] + fraction * (levels[below + 1] - levels[below]);
  }

  @Override
  public double cvar(double alpha) {
    Returns.requireLevel(alpha);
    if (alpha <= levels[0]) {
      return quantiles[0] + lowerScale * (Math.log(alpha / levels[0]) - 1);
    }
    if (alpha > levels[levels.length - 1]) {
      throw new IllegalArgumentException(
          "CVaR is read up to the level %s, was %s".formatted(levels[levels.length - 1], alpha));
    }
    double integral = levels[0] * (quantiles[0] - lowerScale);
    for (int i = 0; levels[i] < alpha; i++) {
      double to = Math.min(alpha, levels[i + 1]);
      integral += (to - levels[i]) * (quantiles[i] + between(i, to)) / 2;
    }
    return integral / alpha;
  }
}
