package io.quantail.market.feature;

import io.quantail.market.data.Bars;

/** The unscaled features of one symbol at every bar; NaN where undefined. Immutable. */
public final class FeatureTable {
  private final FeatureSpec spec;
  private final double[][] columns; // [feature][bar]
  private final int bars;

  private FeatureTable(FeatureSpec spec, double[][] columns, int bars) {
    this.spec = spec;
    this.columns = columns;
    this.bars = bars;
  }

  /** Computes features from bars. */
  public static FeatureTable of(Bars bars, FeatureSpec spec) {
    double[][] columns = new double[spec.features().size()][];
    for (int i = 0; i < columns.length; i++) {
      Feature feature = spec.features().get(i);
      columns[i] = feature.kind().compute(bars, feature);
    }
    return new FeatureTable(spec, columns, bars.size());
  }

  /** The features, in the order of their columns. */
  public FeatureSpec spec() {
    return spec;
  }

  /** The number of bars. */
  public int bars() {
    return bars;
  }

  /** The value of a feature at bar {@code t}. */
  public double value(int feature, int t) {
    return columns[feature][t];
  }
}
