package io.quantail.market.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.io.Sha256;
import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.feature.FeatureSpec.Beyond;
import io.quantail.market.split.BarRange;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requirement("FEAT-1")
class FeatureScalerTest {
  private static final FeatureSpec SPEC = FeatureSpec.standard();
  private static final Bars BARS = SampleBars.random(400, 9);
  private static final BarRange TRAIN = new BarRange(0, 250);

  @Test
  void shouldCutCentreAndScaleWithTrainingBars() {
    FeatureTable table = FeatureTable.of(BARS, SPEC);
    FeatureScaler.Column column =
        FeatureScaler.fit(List.of(table), List.of(TRAIN)).columns().get(0);
    double[] values = new double[250 - 50];
    Arrays.setAll(values, i -> table.value(0, 50 + i));
    Arrays.sort(values);
    // numpy: position q (n − 1), linear between neighbours
    double low = values[1] + 0.99 * (values[2] - values[1]);
    assertThat(column.low()).isCloseTo(low, within(1e-12));
    double high = values[197] + 0.01 * (values[198] - values[197]);
    assertThat(column.high()).isCloseTo(high, within(1e-12));
    double mean =
        Arrays.stream(values).map(x -> Math.max(low, Math.min(high, x))).average().getAsDouble();
    double square =
        Arrays.stream(values)
            .map(x -> Math.pow(Math.max(low, Math.min(high, x)) - mean, 2))
            .average()
            .getAsDouble();
    assertThat(column.mean()).isCloseTo(mean, within(1e-12));
    assertThat(column.deviation()).isCloseTo(Math.sqrt(square), within(1e-12));
    assertThat(column.scale(1e9, Beyond.CUT))
        .isCloseTo((high - mean) / Math.sqrt(square), within(1e-9));
    assertThat(column.scale(Double.NaN, Beyond.CUT)).isEqualTo(0);
    assertThat(column.scale(Double.NaN, Beyond.LOG)).isEqualTo(0);
    FeatureScaler.Column wide = new FeatureScaler.Column(-100, 100, 0, 1);
    assertThat(wide.scale(50, Beyond.CUT)).isEqualTo(5);
    assertThat(wide.scale(50, Beyond.LOG)).isEqualTo(20);
  }

  @Test
  void shouldCompressWhatIsBeyondTheTrainingPercentiles() {
    FeatureScaler.Column column = new FeatureScaler.Column(-1, 3, 0.5, 2);
    assertThat(column.scale(2, Beyond.LOG)).isEqualTo(0.75);
    // 3 + 2 ln(1 + (7 − 3)/2), minus 0.5, over 2; and −1 − 2 ln(1 + (−1 + 5)/2)
    assertThat(column.scale(7, Beyond.LOG)).isCloseTo(1.25 + Math.log(3), within(1e-15));
    assertThat(column.scale(-5, Beyond.LOG)).isCloseTo(-0.75 - Math.log(3), within(1e-15));
    double step = 1e-6;
    for (double edge : new double[] {-1, 3}) {
      double slope =
          (column.scale(edge + step, Beyond.LOG) - column.scale(edge - step, Beyond.LOG))
              / (2 * step);
      assertThat(slope).isCloseTo(0.5, within(1e-6));
    }
    double before = Double.NEGATIVE_INFINITY;
    for (double value = -1e6; value <= 1e6; value += 997) {
      double scaled = column.scale(value, Beyond.LOG);
      assertThat(scaled).isGreaterThan(before).isBetween(-20.0, 20.0);
      before = scaled;
    }
    assertThat(column.scale(Double.POSITIVE_INFINITY, Beyond.LOG)).isEqualTo(20);
    assertThat(column.scale(Double.NEGATIVE_INFINITY, Beyond.LOG)).isEqualTo(-20);
  }

  @Test
  void shouldApplyTheChoiceOfTheFeaturesAndHashIt() {
    FeatureSpec log = FeatureSpec.parse(List.of("range"), Beyond.LOG);
    FeatureSpec cut = FeatureSpec.parse(List.of("range"), Beyond.CUT);
    assertThat(log.hash()).isNotEqualTo(cut.hash());
    // what builds before the choice computed for this list
    assertThat(cut.hash()).isEqualTo(Sha256.hex("{\"version\":1,\"features\":[\"range\"]}"));
    FeatureTable table = FeatureTable.of(BARS, log);
    FeatureScaler scaler = FeatureScaler.fit(List.of(table), List.of(TRAIN));
    FeatureScaler.Column column = scaler.columns().get(0);
    FeatureMatrix matrix = scaler.apply(table);
    int beyond = 0;
    for (int t = 1; t < BARS.size(); t++) {
      double value = table.value(0, t);
      beyond += value > column.high() || value < column.low() ? 1 : 0;
      assertThat(row(matrix, t)[0]).isEqualTo((float) column.scale(value, Beyond.LOG));
    }
    assertThat(beyond).isPositive();
  }

  @Test
  void shouldIgnoreEverythingOutsideTraining() {
    FeatureScaler all = FeatureScaler.fit(List.of(FeatureTable.of(BARS, SPEC)), List.of(TRAIN));
    FeatureScaler cut =
        FeatureScaler.fit(List.of(FeatureTable.of(BARS.slice(0, 250), SPEC)), List.of(TRAIN));
    assertThat(all).isEqualTo(cut);
  }

  @Test
  void shouldFlagWhatIsUndefinedAndSilenceWhatIsConstant() {
    FeatureSpec spec = FeatureSpec.parse(List.of("extra(x_mood)", "range", "hour-sin"), Beyond.LOG);
    assertThat(spec.columns())
        .containsExactly("extra(x_mood)", "range", "hour-sin", "extra(x_mood) valid");
    FeatureTable table = FeatureTable.of(BARS, spec);
    FeatureMatrix matrix = FeatureScaler.fit(List.of(table), List.of(TRAIN)).apply(table);
    int undefined = 0;
    for (int t = 0; t < BARS.size(); t++) {
      boolean missing = Double.isNaN(BARS.extra("x_mood", t));
      undefined += missing ? 1 : 0;
      assertThat(row(matrix, t)[3]).isEqualTo(missing ? 0 : 1);
      if (missing) {
        assertThat(row(matrix, t)[0]).isZero();
      }
    }
    assertThat(undefined).isPositive();
    Bars flat = SampleBars.ofCloses(5, 5, 5, 5, 5, 5, 5, 5);
    FeatureTable constant =
        FeatureTable.of(flat, FeatureSpec.parse(List.of("range", "close-location"), Beyond.LOG));
    FeatureMatrix nothing =
        FeatureScaler.fit(List.of(constant), List.of(new BarRange(0, 8))).apply(constant);
    assertThat(row(nothing, 5)[0]).isZero();
    assertThat(row(nothing, 5)[1]).isZero();
    assertThat(row(nothing, 5)[2]).isZero();
  }

  @Test
  void shouldRefuseOtherFeatures() {
    FeatureScaler scaler = FeatureScaler.fit(List.of(FeatureTable.of(BARS, SPEC)), List.of(TRAIN));
    FeatureTable other = FeatureTable.of(BARS, FeatureSpec.parse(List.of("range"), Beyond.LOG));
    assertThatThrownBy(() -> scaler.apply(other))
        .hasMessageContaining("must be fitted to the same features");
  }

  @Test
  void shouldBeDataThatReadsBack() {
    assertThat(FeatureSpec.parse(SPEC.written(), Beyond.LOG)).isEqualTo(SPEC);
    assertThat(FeatureSpec.parse(SPEC.written(), Beyond.LOG).hash()).isEqualTo(SPEC.hash());
    assertThat(FeatureSpec.parse(List.of("range", "body"), Beyond.LOG).hash())
        .isNotEqualTo(FeatureSpec.parse(List.of("body", "range"), Beyond.LOG).hash());
    assertThat(SPEC.warmupBars()).isEqualTo(51);
  }

  @Test
  void shouldExplainWhatIsWrongWithAFeature() {
    assertThatThrownBy(() -> Feature.parse("retrun(3)")).hasMessageContaining("is not a kind");
    assertThatThrownBy(() -> Feature.parse("return")).hasMessageContaining("must have 1 windows");
    assertThatThrownBy(() -> Feature.parse("return(0)")).hasMessageContaining("1 to 100000");
    assertThatThrownBy(() -> Feature.parse("extra(mood)")).hasMessageContaining("x_");
    assertThatThrownBy(() -> Feature.parse("a b")).hasMessageContaining("is not a feature");
    assertThatThrownBy(() -> FeatureSpec.parse(List.of("range", "range"), Beyond.LOG))
        .hasMessageContaining("twice");
    assertThat(Feature.parse(" macd(12, 26) ")).hasToString("macd(12,26)");
  }

  private static float[] row(FeatureMatrix matrix, int t) {
    float[] row = new float[matrix.width()];
    matrix.copyRow(t, row);
    return row;
  }
}
