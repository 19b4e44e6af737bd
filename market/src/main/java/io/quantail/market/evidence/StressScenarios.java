package io.quantail.market.evidence;

import java.util.OptionalDouble;

/**
 * Arithmetic of stress tests: an instant shock, a replayed path of log-returns, bars with a larger
 * volatility. Pinned by the vectors {@code stress_*}.
 */
public final class StressScenarios {
  private StressScenarios() {}

  /**
   * Prices of bars.
   *
   * @param open of each bar
   * @param high of each bar
   * @param low of each bar
   * @param close of each bar
   */
  public record Prices(double[] open, double[] high, double[] low, double[] close) {}

  /**
   * Log-return of an account with a weight when the price changes at once: {@code ln(1 + w s)};
   * empty if it is ruined.
   *
   * @param shock relative change of the price, such as -0.2
   */
  public static OptionalDouble instant(double weight, double shock) {
    double change = weight * shock;
    return change > -1 ? OptionalDouble.of(Math.log1p(change)) : OptionalDouble.empty();
  }

  /**
   * Bars of a path: each opens at the close before; high and low are those of open and close.
   *
   * @param close last close before the path
   */
  public static Prices path(double close, double[] logReturns) {
    int n = logReturns.length;
    Prices prices = new Prices(new double[n], new double[n], new double[n], new double[n]);
    double before = close;
    for (int t = 0; t < n; t++) {
      double now = before * Math.exp(logReturns[t]);
      prices.open[t] = before;
      prices.close[t] = now;
      prices.high[t] = Math.max(before, now);
      prices.low[t] = Math.min(before, now);
      before = now;
    }
    return prices;
  }

  /** Equity after each bar of a path if the units held at its start are kept. */
  public static double[] heldEquity(double equity, double weight, double[] logReturns) {
    double[] held = new double[logReturns.length];
    double sum = 0;
    for (int t = 0; t < held.length; t++) {
      sum += logReturns[t];
      held[t] = equity * (1 + weight * Math.expm1(sum));
    }
    return held;
  }

  /**
   * Bars with every log-change against the close before multiplied by a factor; those of the first
   * bar are taken against its own open.
   */
  public static Prices scaled(Prices prices, double factor) {
    int n = prices.open.length;
    Prices scaled = new Prices(new double[n], new double[n], new double[n], new double[n]);
    double before = n == 0 ? 0 : prices.open[0];
    double scaledBefore = before;
    for (int t = 0; t < n; t++) {
      scaled.open[t] = scaledBefore * Math.pow(prices.open[t] / before, factor);
      scaled.high[t] = scaledBefore * Math.pow(prices.high[t] / before, factor);
      scaled.low[t] = scaledBefore * Math.pow(prices.low[t] / before, factor);
      scaled.close[t] = scaledBefore * Math.pow(prices.close[t] / before, factor);
      before = prices.close[t];
      scaledBefore = scaled.close[t];
    }
    return scaled;
  }
}
