package io.quantail.market.feature;

import io.quantail.config.SettingNames;
import io.quantail.market.data.Bars;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;

/**
 * Formulas of features.
 *
 * <p>All are scale-free and causal: the value at bar {@code t} is computed from bars up to {@code
 * t}. Undefined values are NaN. Windows are counted in bars. O, H, L, C and V are open, high, low,
 * close and volume.
 */
public enum FeatureKind {
  /** ln(C_t / C_{t−n}) / (σ_t √n) with the EWMA volatility σ. */
  RETURN(1, true, w -> w.get(0) + 1, PriceFeatures::scaledReturn),
  /** C / SMA_n − 1. */
  SMA_GAP(1, false, w -> w.get(0), PriceFeatures::smaGap),
  /** (EMA_fast − EMA_slow) / C. */
  MACD(2, false, w -> w.get(1), PriceFeatures::macd),
  /** (M − EMA_n M) / C with M = EMA_fast − EMA_slow. */
  MACD_GAP(3, false, w -> w.get(1) + w.get(2), PriceFeatures::macdGap),
  /** RSI / 50 − 1 with Wilder's smoothing, initialised with the mean of the first n changes. */
  RSI(1, false, w -> w.get(0) + 1, PriceFeatures::rsi),
  /** (C − SMA_n) / (2 σ_n), σ over closes. */
  BOLLINGER(1, true, w -> w.get(0), PriceFeatures::bollinger),
  /** Exponentially weighted volatility, decay 0.94. */
  EWMA_VOLATILITY(
      0, false, w -> VolatilityEstimators.EWMA_SEED + 1, (b, f) -> VolatilityEstimators.ewma(b)),
  /** Parkinson's volatility from high and low. */
  PARKINSON(1, false, w -> w.get(0), (b, f) -> VolatilityEstimators.parkinson(b, f.window(0))),
  /** Yang and Zhang's volatility from open, high, low and close. */
  YANG_ZHANG(1, false, w -> w.get(0), (b, f) -> VolatilityEstimators.yangZhang(b, f.window(0))),
  /** Root mean square return of a short window over that of a long one, minus 1. */
  VOLATILITY_RATIO(2, true, w -> w.get(1) + 1, PriceFeatures::volatilityRatio),
  /** (H − L) / C. */
  RANGE(0, false, w -> 1, PriceFeatures::range),
  /** (C − O) / C. */
  BODY(0, false, w -> 1, PriceFeatures::body),
  /** ln(O_t / C_{t−1}). */
  GAP(0, false, w -> 2, PriceFeatures::gap),
  /** 2 (C − L) / (H − L) − 1. */
  CLOSE_LOCATION(0, true, w -> 1, PriceFeatures::closeLocation),
  /** ln(V / median_n V). */
  VOLUME(1, true, w -> w.get(0), VolumeFeatures::volume),
  /** Quote volume over its mean of n bars, minus 1. */
  VOLUME_SHARE(1, true, w -> w.get(0), VolumeFeatures::volumeShare),
  /** Σ(2 taker buys − V) / ΣV over n bars. */
  FLOW(1, true, w -> w.get(0), VolumeFeatures::flow),
  /** Sine of the time of day (UTC). */
  HOUR_SIN(0, false, w -> 1, (b, f) -> CalendarFeatures.day(b, Math::sin)),
  /** Cosine of the time of day (UTC). */
  HOUR_COS(0, false, w -> 1, (b, f) -> CalendarFeatures.day(b, Math::cos)),
  /** Sine of the time of the week (UTC, from Monday). */
  WEEK_SIN(0, false, w -> 1, (b, f) -> CalendarFeatures.week(b, Math::sin)),
  /** Cosine of the time of the week (UTC, from Monday). */
  WEEK_COS(0, false, w -> 1, (b, f) -> CalendarFeatures.week(b, Math::cos)),
  /** An extra column of the file, unchanged. */
  EXTRA(0, true, w -> 1, VolumeFeatures::extra);

  private final int windows;
  private final boolean mayBeUndefined;
  private final ToIntFunction<List<Integer>> lookback;
  private final BiFunction<Bars, Feature, double[]> formula;

  FeatureKind(
      int windows,
      boolean mayBeUndefined,
      ToIntFunction<List<Integer>> lookback,
      BiFunction<Bars, Feature, double[]> formula) {
    this.windows = windows;
    this.mayBeUndefined = mayBeUndefined;
    this.lookback = lookback;
    this.formula = formula;
  }

  /** The number of windows of a feature of this kind. */
  int windows() {
    return windows;
  }

  /** Whether values may be undefined after the warm-up, so that a validity flag is needed. */
  boolean mayBeUndefined() {
    return mayBeUndefined;
  }

  /** The number of bars that the first value needs. */
  int lookback(List<Integer> given) {
    return lookback.applyAsInt(given);
  }

  double[] compute(Bars bars, Feature feature) {
    return formula.apply(bars, feature);
  }

  String written() {
    return SettingNames.written(this);
  }

  static List<String> allWritten() {
    return Arrays.stream(values()).map(FeatureKind::written).toList();
  }
}
