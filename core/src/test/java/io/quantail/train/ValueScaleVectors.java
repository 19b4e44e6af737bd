package io.quantail.train;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.metrics.Metrics;
import io.quantail.telemetry.ValueTelemetry;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.util.Map;

/** The limit on how much returns may be enlarged, and its warning. */
public final class ValueScaleVectors implements VectorFamily {
  private static final double CAP = 1000;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("value_target_scale_cap_warn", this::checkCap);
  }

  /** Returns are divided by {@code ret_clip} deviations there; we have no such second factor. */
  private void checkCap(VectorCase vector) {
    double[][] rows = vector.matrix("std_floor_clip");
    double[] scales = new double[rows.length];
    boolean[] warnings = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      double std = rows[i][2] * rows[i][0];
      double floor = rows[i][2] * rows[i][1];
      ReturnScale scale =
          new ReturnScaleTracker(
                  new ReturnScaleConfig(
                      ReturnScaleConfig.Mode.Z_SCORE,
                      ReturnScaleConfig.Spread.STD,
                      1,
                      floor,
                      0,
                      0,
                      CAP))
              .commit(new double[] {-std, std});
      Metrics metrics = new Metrics();
      new ValueTelemetry.ScaleChange(scale, scale, scale, 1).report(metrics);
      scales[i] = metrics.snapshot().get("train/value_target_scale");
      warnings[i] = metrics.snapshot().containsKey("warn/excessive_return_scaling");
    }
    vector.expect("scale", scales);
    vector.expect("warn", warnings);
  }
}
