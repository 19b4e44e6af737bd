package io.quantail.market.audit;

import io.quantail.audit.AuditOutcome;
import io.quantail.audit.Deviation;
import io.quantail.market.Market;
import io.quantail.market.feature.FeatureMatrix;
import io.quantail.market.feature.FeatureScaler.Column;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.feature.FeatureTable;

/** Scaled features of all bars against the formula, inside and beyond the training percentiles. */
final class ScalingChecks {
  private static final double SINGLE_PRECISION = 2e-6;

  private ScalingChecks() {}

  static AuditOutcome values(Market market) {
    FeatureSpec spec = market.config().features().spec();
    FeatureTable table = FeatureTable.of(market.bars().get(0), spec);
    FeatureMatrix matrix = market.instruments().get(0).features();
    boolean log = spec.beyond() == FeatureSpec.Beyond.LOG;
    float[] row = new float[matrix.width()];
    Deviation deviation = new Deviation();
    int beyond = 0;
    for (int t = matrix.firstBar(); t < table.bars(); t++) {
      matrix.copyRow(t, row);
      for (int i = 0; i < spec.features().size(); i++) {
        Column column = market.scaler().columns().get(i);
        double value = table.value(i, t);
        deviation.add(row[i], log ? compressed(column, value) : cut(column, value));
        beyond += value > column.high() || value < column.low() ? 1 : 0;
      }
    }
    return deviation
        .note("%d values beyond the training percentiles", beyond)
        .within(SINGLE_PRECISION);
  }

  private static double compressed(Column column, double value) {
    double unit = column.deviation();
    if (unit == 0 || Double.isNaN(value)) {
      return 0;
    }
    double moved = value;
    if (value > column.high()) {
      moved = column.high() + unit * Math.log(1 + (value - column.high()) / unit);
    } else if (value < column.low()) {
      moved = column.low() - unit * Math.log(1 + (column.low() - value) / unit);
    }
    return Math.min(20, Math.max(-20, (moved - column.mean()) / unit));
  }

  private static double cut(Column column, double value) {
    double unit = column.deviation();
    if (unit == 0 || Double.isNaN(value)) {
      return 0;
    }
    double moved = value > column.high() ? column.high() : Math.max(value, column.low());
    return Math.min(5, Math.max(-5, (moved - column.mean()) / unit));
  }
}
