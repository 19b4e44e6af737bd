package io.quantail.market.feature;

import io.quantail.market.data.Bars;
import java.util.function.IntToDoubleFunction;

/** Features of prices; see {@link FeatureKind} for the formulas. */
final class PriceFeatures {
  private PriceFeatures() {}

  static double[] scaledReturn(Bars bars, Feature feature) {
    int window = feature.window(0);
    double[] volatility = VolatilityEstimators.ewma(bars);
    return from(
        window,
        bars,
        t -> {
          double move = Math.log(bars.close(t) / bars.close(t - window));
          return ratio(move, volatility[t] * Math.sqrt(window));
        });
  }

  static double[] smaGap(Bars bars, Feature feature) {
    double[] average = new IndicatorFeatures(bars.closes()).sma(feature.window(0));
    return from(0, bars, t -> bars.close(t) / average[t] - 1);
  }

  static double[] macd(Bars bars, Feature feature) {
    double[] line = new IndicatorFeatures(bars.closes()).macd(feature.window(0), feature.window(1));
    return from(0, bars, t -> line[t] / bars.close(t));
  }

  static double[] macdGap(Bars bars, Feature feature) {
    double[] gap =
        new IndicatorFeatures(bars.closes())
            .macdGap(feature.window(0), feature.window(1), feature.window(2));
    return from(0, bars, t -> gap[t] / bars.close(t));
  }

  static double[] rsi(Bars bars, Feature feature) {
    double[] rsi = new IndicatorFeatures(bars.closes()).rsi(feature.window(0));
    return from(0, bars, t -> rsi[t] / 50 - 1);
  }

  static double[] bollinger(Bars bars, Feature feature) {
    IndicatorFeatures indicators = new IndicatorFeatures(bars.closes());
    double[] middle = indicators.sma(feature.window(0));
    double[] deviation = indicators.deviation(feature.window(0));
    // A window of equal closes has a deviation of rounding errors only.
    return from(
        0,
        bars,
        t ->
            deviation[t] > 1e-9 * middle[t]
                ? (bars.close(t) - middle[t]) / (2 * deviation[t])
                : Double.NaN);
  }

  static double[] volatilityRatio(Bars bars, Feature feature) {
    int shortWindow = feature.window(0);
    int longWindow = feature.window(1);
    return from(
        Math.max(shortWindow, longWindow),
        bars,
        t ->
            ratio(
                    VolatilityEstimators.rootMeanSquare(bars, t, shortWindow),
                    VolatilityEstimators.rootMeanSquare(bars, t, longWindow))
                - 1);
  }

  static double[] range(Bars bars, Feature feature) {
    return from(0, bars, t -> (bars.high(t) - bars.low(t)) / bars.close(t));
  }

  static double[] body(Bars bars, Feature feature) {
    return from(0, bars, t -> (bars.close(t) - bars.open(t)) / bars.close(t));
  }

  static double[] gap(Bars bars, Feature feature) {
    return from(1, bars, t -> Math.log(bars.open(t) / bars.close(t - 1)));
  }

  static double[] closeLocation(Bars bars, Feature feature) {
    return from(
        0, bars, t -> 2 * ratio(bars.close(t) - bars.low(t), bars.high(t) - bars.low(t)) - 1);
  }

  /** Values of a formula; NaN before {@code first}. */
  static double[] from(int first, Bars bars, IntToDoubleFunction formula) {
    double[] values = VolatilityEstimators.undefined(bars.size());
    for (int t = first; t < values.length; t++) {
      values[t] = formula.applyAsDouble(t);
    }
    return values;
  }

  /** A quotient; NaN if the denominator is not positive. */
  static double ratio(double above, double below) {
    return below > 0 ? above / below : Double.NaN;
  }
}
