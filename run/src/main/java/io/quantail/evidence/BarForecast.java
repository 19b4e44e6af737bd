package io.quantail.evidence;

/** The forecast distribution of one bar's return. */
public interface BarForecast {
  /**
   * The return below which a fraction {@code level} in (0, 1) of the distribution lies: the VaR.
   */
  double quantile(double level);

  /** The highest level whose quantile is at most the given return. */
  double cumulative(double value);

  /** CVaR: the mean of the lowest fraction {@code alpha} in (0, 1) of the distribution. */
  double cvar(double alpha);

  /** The return that a uniform number in [0, 1) draws from the distribution. */
  double draw(double uniform);
}
