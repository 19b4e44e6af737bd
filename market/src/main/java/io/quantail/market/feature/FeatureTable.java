package io.quantail.market.feature;

import io.quantail.market.data.Bars;

/** The raw features of one symbol, bar by bar; NaN where undefined. Immutable. */
public final class FeatureTable {
  private final FeatureSpec spec;
  private final double[][] columns; // [feature][bar]
  private final int bars;

  private FeatureTable(FeatureSpec spec, double[][] columns, int bars) {
    this.spec = spec;
    this.columns = columns;
    this.bars = bars;
  }

  /** Computes all features of a specification. */
  public static FeatureTable of(Bars bars, FeatureSpec spec) {
    double[][] columns = new double[spec.features().size()][];
    for (int i = 0; i < columns.length; i++) {
      Feature feature = spec.features().get(i);
      columns[i] = feature.kind().compute(bars, feature);
    }
    return new FeatureTable(spec, columns, bars.size());
  }

  public FeatureSpec spec() {
    return spec;
  }

  public int bars() {
    return bars;
  }

  public double value(int feature, int t) {
    return columns[feature][t];
  }
}
