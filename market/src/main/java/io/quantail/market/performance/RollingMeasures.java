package io.quantail.market.performance;

import io.quantail.math.ReturnSeriesStatistics;
import java.util.Arrays;
import java.util.Optional;

/**
 * Sharpe ratio, volatility and beta of every window of consecutive bars.
 *
 * <p>With the simple returns r of the account and b of buy-and-hold in a window: mean(r) / std(r)
 * and std(r), ddof 1, times √N if the window covers at least {@value Performance#FEWEST_DAYS} days,
 * else per bar; beta = cov(r, b) / var(b). Undefined values are NaN. The window is half a year, but
 * at most a quarter of the bars. {@code RollingMeasuresTest} compares them with a plain loop.
 *
 * @param window bars per window
 * @param annualised whether Sharpe ratio and volatility are per year, else per bar
 * @param times last close of each window
 * @param sharpe of each window
 * @param volatility of each window
 * @param beta of each window
 */
public record RollingMeasures(
    int window,
    boolean annualised,
    long[] times,
    double[] sharpe,
    double[] volatility,
    double[] beta) {
  private static final int FEWEST_BARS = 20;

  /** A variance below this fraction of that of all bars is rounding. */
  private static final double ROUNDING = 1e-9;

  /** The windows of an account; empty if it has too few bars for a window of 20. */
  public static Optional<RollingMeasures> of(AccountCurve account, AccountCurve hold) {
    int bars = Math.min(account.bars(), hold.bars());
    int window = (int) Math.min(Math.round(account.barsPerYear() / 2), bars / 4);
    return window < FEWEST_BARS ? Optional.empty() : Optional.of(of(account, hold, window));
  }

  static RollingMeasures of(AccountCurve account, AccountCurve hold, int window) {
    double days = window / account.barsPerYear() * Performance.DAYS_PER_YEAR;
    boolean annualised = days >= Performance.FEWEST_DAYS;
    double year = annualised ? account.barsPerYear() : 1;
    int bars = Math.min(account.bars(), hold.bars());
    Sums own = new Sums(Arrays.copyOf(account.returns(), bars));
    Sums market = new Sums(Arrays.copyOf(hold.returns(), bars));
    double[] products = sums(own.values, market.values);
    int windows = bars - window + 1;
    double[] sharpe = new double[windows];
    double[] volatility = new double[windows];
    double[] beta = new double[windows];
    for (int i = 0; i < windows; i++) {
      double deviation = Math.sqrt(own.variance(i, window));
      sharpe[i] = ReturnSeriesStatistics.sharpe(own.mean(i, window), deviation, year);
      volatility[i] = deviation * Math.sqrt(year);
      double common = (products[i + window] - products[i]) / window;
      double covariance = common - own.centred(i, window) * market.centred(i, window);
      double variance = market.variance(i, window);
      beta[i] = variance == 0 ? Double.NaN : covariance * window / (window - 1.0) / variance;
    }
    long[] times = Arrays.copyOfRange(account.times(), window, bars + 1);
    return new RollingMeasures(window, annualised, times, sharpe, volatility, beta);
  }

  private static double[] sums(double[] first, double[] second) {
    double[] sums = new double[first.length + 1];
    for (int i = 0; i < first.length; i++) {
      sums[i + 1] = sums[i] + first[i] * second[i];
    }
    return sums;
  }

  /** Sums of a series up to every bar, centred so that differences of them keep their digits. */
  private static final class Sums {
    private final double mean;
    private final double[] values;
    private final double[] sums;
    private final double[] squares;

    Sums(double[] series) {
      mean = ReturnSeriesStatistics.mean(series);
      values = Arrays.stream(series).map(value -> value - mean).toArray();
      double[] ones = new double[values.length];
      Arrays.fill(ones, 1);
      sums = sums(values, ones);
      squares = sums(values, values);
    }

    double centred(int from, int window) {
      return (sums[from + window] - sums[from]) / window;
    }

    double mean(int from, int window) {
      return mean + centred(from, window);
    }

    /** Variance with ddof 1; 0 if it is rounding. */
    double variance(int from, int window) {
      double square = (squares[from + window] - squares[from]) / window;
      double middle = centred(from, window);
      double variance = square - middle * middle;
      boolean rounding = variance <= ROUNDING * squares[values.length] / values.length;
      return rounding ? 0 : variance * window / (window - 1.0);
    }
  }
}
