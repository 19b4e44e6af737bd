package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.rollout.AdvantageNormalizer.Normalized;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import net.jqwik.api.Assume;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AdvantageNormalizerTest {
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  @Requirement("ADV-1")
  void shouldGiveZeroMeanAndUnitSampleDeviation(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 200) int size,
      @ForAll @DoubleRange(min = -1000, max = 1000) double offset,
      @ForAll @DoubleRange(min = 0.01, max = 1000) double scale) {
    double[] advantages = gaussians(seed, size, offset, scale);

    double deviation = deviation(advantages);
    Assume.that(deviation > AdvantageNormalizer.MINIMUM_DEVIATION);

    double[] values = AdvantageNormalizer.normalize(advantages, 1, false).values();

    assertThat(Arrays.stream(values).average().orElseThrow()).isEqualTo(0, within(1e-6));
    assertThat(deviation(values)).isEqualTo(deviation / (deviation + 1e-8), within(1e-6));
  }

  @Property(tries = 100)
  @Requirement("ADV-1")
  void shouldKeepOrderOfAdvantages(@ForAll long seed) {
    double[] advantages = gaussians(seed, 30, 5, 2);
    double[] values = AdvantageNormalizer.normalize(advantages, 1, false).values();

    for (int i = 1; i < values.length; i++) {
      assertThat(values[i] > values[i - 1]).isEqualTo(advantages[i] > advantages[i - 1]);
    }
  }

  @Test
  @Requirement("ADV-1")
  void shouldDivideByAtLeastTheFloor() {
    double[] advantages = {1, 2, 3};

    assertThat(AdvantageNormalizer.normalize(advantages, 1, false, 4).values())
        .containsExactly(new double[] {-0.25, 0, 0.25}, within(1e-8));
    assertThat(AdvantageNormalizer.normalize(advantages, 1, false, 0.5).values())
        .containsExactly(AdvantageNormalizer.normalize(advantages, 1, false).values());
  }

  @Test
  @Requirement("ADV-2")
  void shouldZeroAdvantagesWithoutSignalAndWarn() {
    Normalized equal = AdvantageNormalizer.normalize(new double[] {0.1, 0.1, 0.1}, 1, false);
    Normalized nearlyEqual =
        AdvantageNormalizer.normalize(new double[] {1, 1 + 1e-7, 1 - 1e-7}, 1, false);

    assertThat(equal.rawStd()).isZero();
    assertThat(equal.values()).containsOnly(0);
    assertThat(equal.warnings()).containsExactly(AdvantageNormalizer.TINY_DEVIATION);
    assertThat(nearlyEqual.values()).containsOnly(0);
    assertThat(nearlyEqual.warnings()).containsExactly(AdvantageNormalizer.TINY_DEVIATION);
  }

  @Test
  @Requirement("ADV-2")
  void shouldZeroAdvantagesWithUndefinedStatisticsAndWarn() {
    Normalized lonely = AdvantageNormalizer.normalize(new double[] {3}, 1, false);
    Normalized broken = AdvantageNormalizer.normalize(new double[] {1, Double.NaN, 2}, 1, false);
    Normalized huge = AdvantageNormalizer.normalize(new double[] {1e308, -1e308}, 1, false);

    for (Normalized normalized : new Normalized[] {lonely, broken, huge}) {
      assertThat(normalized.values()).containsOnly(0);
      assertThat(normalized.warnings()).containsExactly(AdvantageNormalizer.INVALID_STATISTICS);
    }
  }

  @Test
  @Requirement("ADV-2")
  void shouldNormalizeJustAboveTheThreshold() {
    Normalized normalized = AdvantageNormalizer.normalize(new double[] {0, 4e-6}, 1, false);

    assertThat(normalized.normalizedMaxAbs())
        .isEqualTo(2e-6 / (Math.sqrt(8) * 1e-6 + 1e-8), within(1e-9));
    assertThat(normalized.warnings()).isEmpty();
  }

  @Test
  void shouldWarnAboutEmptyRollout() {
    Normalized normalized = AdvantageNormalizer.normalize(new double[0], 4, true);

    assertThat(normalized.values()).isEmpty();
    assertThat(normalized.warnings()).containsExactly(AdvantageNormalizer.EMPTY);
    assertThat(normalized.rawMean()).isNaN();
  }

  @Test
  @Requirement("ADV-3")
  void shouldNormalizeEachEnvironmentByItselfOnRequest() {
    double[] advantages = {1, 100, 2, 200, 3, 300};

    double[] values = AdvantageNormalizer.normalize(advantages, 2, true).values();

    assertThat(values).containsExactly(new double[] {-1, -1, 0, 0, 1, 1}, within(1e-6));
  }

  @Test
  @Requirement("ADV-3")
  void shouldZeroOnlyTheEnvironmentWithoutSignal() {
    double[] advantages = {1, 5, 2, 5, 3, 5};

    Normalized normalized = AdvantageNormalizer.normalize(advantages, 2, true);

    assertThat(normalized.values()).containsExactly(new double[] {-1, 0, 0, 0, 1, 0}, within(1e-6));
    assertThat(normalized.warnings()).containsExactly(AdvantageNormalizer.TINY_DEVIATION);
  }

  @Test
  @Requirement("ADV-4")
  void shouldReportStatisticsBeforeAndAfter() {
    Normalized normalized = AdvantageNormalizer.normalize(new double[] {-2, 0, 0, 6}, 1, false);

    assertThat(normalized.rawMean()).isEqualTo(1);
    assertThat(normalized.rawStd()).isEqualTo(Math.sqrt(12), within(1e-12));
    assertThat(normalized.rawMin()).isEqualTo(-2);
    assertThat(normalized.rawMax()).isEqualTo(6);
    assertThat(normalized.normalizedMaxAbs()).isEqualTo(5 / Math.sqrt(12), within(1e-6));
    assertThat(normalized.normalizedMean()).isEqualTo(0, within(1e-12));
    assertThat(normalized.normalizedStd()).isEqualTo(1, within(1e-6));
  }

  @Test
  @Requirement("ADV-4")
  void shouldWarnAboutExtremeAdvantage() {
    double[] advantages = new double[20_000];
    advantages[7] = 1;

    assertThat(AdvantageNormalizer.normalize(advantages, 1, false).warnings())
        .containsExactly(AdvantageNormalizer.EXTREME);
  }

  @Test
  void shouldRefuseIncompleteStep() {
    assertThatThrownBy(() -> AdvantageNormalizer.normalize(new double[5], 2, false))
        .hasMessageContaining("5 values for 2 environments");
    assertThatThrownBy(() -> AdvantageNormalizer.normalize(new double[5], 0, false))
        .hasMessageContaining("0 environments");
  }

  private static double deviation(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (values.length - 1));
  }

  private static double[] gaussians(long seed, int size, double offset, double scale) {
    RandomStream random = RandomStream.of(seed, "advantages-test", 0);
    double[] values = new double[size];
    Arrays.setAll(values, i -> offset + scale * random.nextGaussian());
    return values;
  }
}
