package io.quantail.market.feature;

import io.quantail.market.data.Bars;
import io.quantail.market.data.Bars.Optional;
import java.util.Arrays;

/** Features of volumes and of extra columns; see {@link FeatureKind} for the formulas. */
final class VolumeFeatures {
  private VolumeFeatures() {}

  static double[] volume(Bars bars, Feature feature) {
    int window = feature.window(0);
    return PriceFeatures.from(
        window - 1,
        bars,
        t -> {
          double ratio = PriceFeatures.ratio(bars.volume(t), median(bars, t, window));
          return ratio > 0 ? Math.log(ratio) : Double.NaN;
        });
  }

  static double[] volumeShare(Bars bars, Feature feature) {
    int window = feature.window(0);
    return PriceFeatures.from(
        window - 1,
        bars,
        t -> {
          double sum = 0;
          for (int i = t - window + 1; i <= t; i++) {
            sum += bars.quoteVolume(i);
          }
          return PriceFeatures.ratio(bars.quoteVolume(t), sum / window) - 1;
        });
  }

  static double[] flow(Bars bars, Feature feature) {
    int window = feature.window(0);
    return PriceFeatures.from(
        window - 1,
        bars,
        t -> {
          double volume = 0;
          for (int i = t - window + 1; i <= t; i++) {
            volume += bars.volume(i);
          }
          return PriceFeatures.ratio(signedVolume(bars, t, window), volume);
        });
  }

  /** Volume bought minus volume sold by takers, Σ(2 taker buys − V); NaN without taker data. */
  static double signedVolume(Bars bars, int t, int window) {
    double sum = 0;
    for (int i = t - window + 1; i <= t; i++) {
      sum += 2 * bars.value(Optional.TAKER_BUY_VOLUME, i) - bars.volume(i);
    }
    return sum;
  }

  static double[] extra(Bars bars, Feature feature) {
    return PriceFeatures.from(0, bars, t -> bars.extra(feature.column(), t));
  }

  private static double median(Bars bars, int t, int window) {
    double[] sorted = new double[window];
    Arrays.setAll(sorted, i -> bars.volume(t - window + 1 + i));
    Arrays.sort(sorted);
    return (sorted[(window - 1) / 2] + sorted[window / 2]) / 2;
  }
}
