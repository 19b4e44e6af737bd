package io.quantail.market.feature;

import io.quantail.market.split.BarRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Brings features to a common scale with statistics of the training bars alone.
 *
 * <p>A value is cut to the 1st and 99th percentile of training, centred and divided by the mean and
 * population deviation of the cut training values, and cut to ±5. What is undefined, or constant in
 * training, becomes 0. {@code FeatureScalerTest} pins it, and that no bar outside training counts.
 *
 * @param specHash which features it was fitted for
 * @param columns statistics per feature
 */
public record FeatureScaler(String specHash, List<Column> columns) {
  private static final double LOW_SHARE = 0.01;
  private static final double HIGH_SHARE = 0.99;
  private static final double BOUND = 5;

  /**
   * @param low 1st percentile of training
   * @param high 99th percentile of training
   * @param mean of the values cut to both
   * @param deviation of the values cut to both; 0 if constant or never defined
   */
  public record Column(double low, double high, double mean, double deviation) {
    double scale(double value) {
      if (deviation == 0 || Double.isNaN(value)) {
        return 0;
      }
      double cut = Math.max(low, Math.min(high, value));
      return Math.max(-BOUND, Math.min(BOUND, (cut - mean) / deviation));
    }
  }

  public FeatureScaler {
    columns = List.copyOf(columns);
  }

  /** Fits to the training bars of one or more symbols. */
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
    // Rounding leaves a constant column with a deviation that is tiny but not zero.
    boolean constant = low == high || deviation <= 1e-12 * Math.abs(mean);
    return new Column(low, high, mean, constant ? 0 : deviation);
  }

  /** Linear between the two nearest of sorted values. */
  private static double quantile(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** What an agent sees of a symbol: scaled values, then validity flags. */
  public FeatureMatrix apply(FeatureTable table) {
    FeatureSpec spec = table.spec();
    if (!spec.hash().equals(specHash)) {
      throw new IllegalArgumentException(
          "the scaler was fitted for other features (%s) than these (%s)"
              .formatted(specHash, spec.hash()));
    }
    int width = spec.columns().size();
    float[] rows = new float[Math.multiplyExact(table.bars(), width)];
    for (int t = 0; t < table.bars(); t++) {
      int flag = t * width + columns.size();
      for (int i = 0; i < columns.size(); i++) {
        double value = table.value(i, t);
        rows[t * width + i] = (float) columns.get(i).scale(value);
        if (spec.features().get(i).kind().mayBeUndefined()) {
          rows[flag++] = Double.isFinite(value) ? 1 : 0;
        }
      }
    }
    return new FeatureMatrix(rows, width, spec.warmupBars());
  }
}
