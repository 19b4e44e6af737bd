package io.quantail.market.feature;

import io.quantail.market.split.BarRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Standardises features with statistics of the training bars only.
 *
 * <p>With lo and hi the 1st and 99th percentile of training, and μ and s the mean and population
 * standard deviation of the training values cut to [lo, hi], a value x becomes (f(x) − μ) / s:
 *
 * <pre>
 * f(x) = x                          between lo and hi
 *        hi + s ln(1 + (x − hi)/s)  above hi
 *        lo − s ln(1 + (lo − x)/s)  below lo
 * </pre>
 *
 * <p>f is continuous with slope 1 at lo and hi and strictly increasing; the result is bounded by
 * ±20. With {@link FeatureSpec.Beyond#CUT} f is hi above hi and lo below lo, and the bound is ±5: a
 * value far beyond the training range then looks like the percentile. Values that are undefined, or
 * whose feature is constant in training, become 0. Tested by {@code FeatureScalerTest}.
 *
 * @param specHash hash of the features it was fitted to
 * @param columns statistics of each feature
 */
public record FeatureScaler(String specHash, List<Column> columns) {
  private static final double LOW_SHARE = 0.01;
  private static final double HIGH_SHARE = 0.99;
  private static final double LOG_BOUND = 20;
  private static final double CUT_BOUND = 5;

  /**
   * Statistics of one feature.
   *
   * @param low 1st percentile of training
   * @param high 99th percentile of training
   * @param mean of the cut training values
   * @param deviation standard deviation of the cut training values; 0 if they are constant or never
   *     defined
   */
  public record Column(double low, double high, double mean, double deviation) {
    double scale(double value, FeatureSpec.Beyond beyond) {
      if (deviation == 0 || Double.isNaN(value)) {
        return 0;
      }
      double bound = beyond == FeatureSpec.Beyond.LOG ? LOG_BOUND : CUT_BOUND;
      double within = Math.max(low, Math.min(high, value));
      double reached =
          beyond == FeatureSpec.Beyond.LOG ? within + compressed(value - within) : within;
      return Math.max(-bound, Math.min(bound, (reached - mean) / deviation));
    }

    /** sign(x) s ln(1 + |x| / s) of a distance x from a percentile. */
    private double compressed(double distance) {
      return Math.copySign(deviation * Math.log1p(Math.abs(distance) / deviation), distance);
    }
  }

  public FeatureScaler {
    columns = List.copyOf(columns);
  }

  /**
   * Fits the scaling to the training bars of one or more symbols.
   *
   * @param training range of each symbol
   */
  public static FeatureScaler fit(List<FeatureTable> tables, List<BarRange> training) {
    FeatureSpec spec = tables.get(0).spec();
    List<Column> columns = new ArrayList<>();
    for (int feature = 0; feature < spec.features().size(); feature++) {
      columns.add(fit(definedValues(tables, training, feature, spec.warmupBars() - 1)));
    }
    return new FeatureScaler(spec.hash(), columns);
  }

  private static double[] definedValues(
      List<FeatureTable> tables, List<BarRange> training, int feature, int first) {
    double[] values = new double[training.stream().mapToInt(BarRange::size).sum()];
    int count = 0;
    for (int s = 0; s < tables.size(); s++) {
      BarRange range = training.get(s);
      for (int t = Math.max(first, range.from()); t < range.to(); t++) {
        double value = tables.get(s).value(feature, t);
        if (Double.isFinite(value)) {
          values[count++] = value;
        }
      }
    }
    return Arrays.copyOf(values, count);
  }

  private static Column fit(double[] values) {
    if (values.length == 0) {
      return new Column(0, 0, 0, 0);
    }
    Arrays.sort(values);
    double low = quantile(values, LOW_SHARE);
    double high = quantile(values, HIGH_SHARE);
    double sum = 0;
    for (double value : values) {
      sum += Math.max(low, Math.min(high, value));
    }
    double mean = sum / values.length;
    double squares = 0;
    for (double value : values) {
      double distance = Math.max(low, Math.min(high, value)) - mean;
      squares += distance * distance;
    }
    double deviation = Math.sqrt(squares / values.length);
    // Rounding can leave a constant column with a tiny deviation.
    boolean constant = low == high || deviation <= 1e-12 * Math.abs(mean);
    return new Column(low, high, mean, constant ? 0 : deviation);
  }

  /** Quantile of sorted values, interpolated linearly. */
  private static double quantile(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** The market part of an agent's observations: scaled values, then validity flags. */
  public FeatureMatrix apply(FeatureTable table) {
    FeatureSpec spec = table.spec();
    if (!spec.hash().equals(specHash)) {
      throw new IllegalArgumentException(
          "the scaler must be fitted to the same features: it has hash %s, the features have %s"
              .formatted(specHash, spec.hash()));
    }
    int width = spec.columns().size();
    float[] rows = new float[Math.multiplyExact(table.bars(), width)];
    for (int t = 0; t < table.bars(); t++) {
      int flag = t * width + columns.size();
      for (int i = 0; i < columns.size(); i++) {
        double value = table.value(i, t);
        rows[t * width + i] = (float) columns.get(i).scale(value, spec.beyond());
        if (spec.features().get(i).kind().mayBeUndefined()) {
          rows[flag++] = Double.isFinite(value) ? 1 : 0;
        }
      }
    }
    return new FeatureMatrix(rows, width, spec.warmupBars());
  }
}
