package io.quantail.evidence;

import io.quantail.math.StandardNormal;

/** A normal forecast with mean 0. */
record NormalForecast(double deviation) implements BarForecast {
  @Override
  public double quantile(double level) {
    return deviation * StandardNormal.quantile(level);
  }

  @Override
  public double cumulative(double value) {
    return StandardNormal.cumulative(value / deviation);
  }

  @Override
  public double cvar(double alpha) {
    return deviation * StandardNormal.conditionalMean(alpha);
  }

  /**
   * By the method of Newton on the logarithm of the level, which is concave; for the lower half.
   */
  @Override
  public double draw(double uniform) {
    double level = Math.max(uniform, 1e-12);
    double x = -Math.sqrt(-2 * Math.log(level));
    for (double step = 1; Math.abs(step) > 1e-9; x += step) {
      double cumulative = StandardNormal.cumulative(x);
      step = Math.log(level / cumulative) * cumulative / StandardNormal.density(x);
    }
    return deviation * x;
  }
}
