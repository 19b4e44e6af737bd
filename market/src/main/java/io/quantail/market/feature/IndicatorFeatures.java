package io.quantail.market.feature;

import java.util.Arrays;
import org.ta4j.core.BaseBarSeries;
import org.ta4j.core.Indicator;
import org.ta4j.core.indicators.AbstractIndicator;
import org.ta4j.core.indicators.EMAIndicator;
import org.ta4j.core.indicators.MACDIndicator;
import org.ta4j.core.indicators.SMAIndicator;
import org.ta4j.core.indicators.statistics.StandardDeviationIndicator;
import org.ta4j.core.num.DoubleNum;
import org.ta4j.core.num.Num;

/**
 * Computes indicators of ta4j from an array of closes.
 *
 * <p>Wilder's RSI is implemented here, because ta4j initialises its smoothing with a single change
 * instead of the mean of the first window. {@code IndicatorFeaturesTest} compares both.
 */
final class IndicatorFeatures {
  private final Closes closes;
  private final int size;

  IndicatorFeatures(double[] closes) {
    this.size = closes.length;
    this.closes = new Closes(closes.clone());
  }

  double[] sma(int window) {
    return values(new SMAIndicator(closes, window), window - 1);
  }

  /** EMA_fast − EMA_slow. */
  double[] macd(int fast, int slow) {
    return values(new MACDIndicator(closes, fast, slow), slow - 1);
  }

  /** MACD minus its EMA. */
  double[] macdGap(int fast, int slow, int signal) {
    MACDIndicator macd = new MACDIndicator(closes, fast, slow);
    double[] line = values(macd, 0);
    double[] average = values(new EMAIndicator(macd, signal), slow + signal - 1);
    Arrays.setAll(average, t -> line[t] - average[t]);
    return average;
  }

  /** Population standard deviation of closes. */
  double[] deviation(int window) {
    return values(new StandardDeviationIndicator(closes, window), window - 1);
  }

  /**
   * Relative strength, 0 to 100; 50 without any change.
   *
   * <p>See: Wilder, "New Concepts in Technical Trading Systems", 1978.
   */
  double[] rsi(int window) {
    double[] values = VolatilityEstimators.undefined(size);
    double gain = 0;
    double loss = 0;
    for (int t = 1; t < size; t++) {
      double change = closes.at(t) - closes.at(t - 1);
      boolean starting = t <= window;
      double share = starting ? 1.0 : (window - 1.0) / window;
      gain = share * gain + Math.max(change, 0) / window;
      loss = share * loss + Math.max(-change, 0) / window;
      if (t >= window) {
        values[t] = gain + loss == 0 ? 50 : 100 * gain / (gain + loss);
      }
    }
    return values;
  }

  /** Values from {@code first} on; earlier windows are not full. */
  private double[] values(Indicator<Num> indicator, int first) {
    double[] values = VolatilityEstimators.undefined(size);
    for (int t = 0; t < size; t++) {
      double value = indicator.getValue(t).doubleValue();
      if (t >= first) {
        values[t] = value;
      }
    }
    return values;
  }

  /** Closes as an indicator of ta4j. */
  private static final class Closes extends AbstractIndicator<Num> {
    private final double[] values;

    Closes(double[] values) {
      super(new Length(values.length));
      this.values = values;
    }

    double at(int t) {
      return values[t];
    }

    @Override
    public Num getValue(int t) {
      return DoubleNum.valueOf(values[t]);
    }

    @Override
    public int getUnstableBars() {
      return 0;
    }
  }

  /** A series with a length but no bars; indicators of closes use nothing else. */
  private static final class Length extends BaseBarSeries {
    private static final long serialVersionUID = 1L;
    private final int size;

    Length(int size) {
      super("closes", DoubleNum.ZERO);
      this.size = size;
    }

    @Override
    public int getBarCount() {
      return size;
    }

    @Override
    public int getBeginIndex() {
      return size == 0 ? -1 : 0;
    }

    @Override
    public int getEndIndex() {
      // One more than the last index: ta4j does not cache values of the last bar.
      return size;
    }

    @Override
    public boolean isEmpty() {
      return size == 0;
    }
  }
}
