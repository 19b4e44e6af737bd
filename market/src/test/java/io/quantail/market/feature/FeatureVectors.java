package io.quantail.market.feature;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.split.BarRange;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Scaling of features beyond the training percentiles. */
public final class FeatureVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("feature_compression", this::checkCompression);
  }

  /** The training values are an extra column of bars, behind one bar of warm-up. */
  private void checkCompression(VectorCase vector) {
    double[] training = vector.doubles("training");
    BarsBuilder bars = new BarsBuilder("X", 1, List.of(), List.of("x_value"), training.length + 1);
    bars.add(1, 1, 1, 1, 1, 1, training[0]);
    for (int i = 0; i < training.length; i++) {
      bars.add(2 + i, 1, 1, 1, 1, 1, training[i]);
    }
    Bars built = bars.build();
    FeatureSpec spec = FeatureSpec.parse(List.of("extra(x_value)"), FeatureSpec.Beyond.LOG);
    FeatureScaler.Column column =
        FeatureScaler.fit(
                List.of(FeatureTable.of(built, spec)), List.of(new BarRange(1, built.size())))
            .columns()
            .get(0);
    vector.expect("low", column.low());
    vector.expect("high", column.high());
    vector.expect("mean", column.mean());
    vector.expect("deviation", column.deviation());
    vector.expect(
        "scaled",
        Arrays.stream(vector.doubles("values"))
            .map(value -> column.scale(value, spec.beyond()))
            .toArray());
  }
}
