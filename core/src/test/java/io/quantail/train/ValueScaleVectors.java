package io.quantail.train;

import io.quantail.telemetry.ValueTelemetry;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Map;

/** The limit on how much returns may be enlarged, and its warning. */
public final class ValueScaleVectors implements VectorFamily {
  private static final double CAP = 1000;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("value_target_scale_cap_warn", this::checkCap);
  }

  private void checkCap(VectorCase vector) {
    double[][] rows = vector.matrix("std_floor_clip");
    double[] scales = new double[rows.length];
    boolean[] warnings = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      scales[i] = ValueTelemetry.targetScale(rows[i][0], rows[i][1], rows[i][2], CAP);
      warnings[i] = ValueTelemetry.excessive(scales[i]);
    }
    vector.expect("scale", scales);
    vector.expect("warn", warnings);
  }
}
