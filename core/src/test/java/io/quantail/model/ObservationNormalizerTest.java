package io.quantail.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.ObservationSpace;
import io.quantail.model.ObservationNormalizer.Drift;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("NORM-1")
public class ObservationNormalizerTest {
  @Test
  void shouldNormalizeByHand() {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(2), 3);
    normalizer.restore(10, new double[] {1, -2}, new double[] {4, 0});
    float[] out = {7, 0, 0, 0, 0, 7};
    normalizer.normalize(new float[] {9, 5, -2, 0, -1.9f}, 1, out, 1, 2);
    // (5-1)/2, (-2+2)/1e-4, (0-1)/2, 0.1/1e-4 = 1000 clipped to 3
    assertThat(out).containsExactly(new float[] {7, 2, 0, -0.5f, 3, 7}, within(1e-6f));
  }

  @Test
  void shouldTreatAConstantFeatureAsIfItVariedByTheRootOfEpsilon() {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(1), 10);
    normalizer.restore(10, new double[] {0}, new double[] {0});
    float[] out = new float[1];
    normalizer.normalize(new float[] {2e-4f}, 0, out, 0, 1);
    assertThat(out).containsExactly(new float[] {2}, within(1e-5f));
  }

  @Test
  void shouldNormalizeInPlace() {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(1), 10);
    normalizer.restore(10, new double[] {1}, new double[] {4});
    float[] values = {3, 5};
    normalizer.normalize(values, 0, values, 0, 2);
    assertThat(values).containsExactly(new float[] {1, 2}, within(1e-6f));
  }

  @Test
  void shouldStandStillUntilUpdated() {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(2), 10);
    float[] raw = sample(0, 100, 5, 3);
    normalizer.update(raw, 50);
    double[] mean = normalizer.mean();
    double[] variance = normalizer.variance();
    float[] first = new float[100];
    float[] second = new float[100];
    normalizer.normalize(raw, 0, first, 0, 50);
    normalizer.normalize(sample(1, 100, -40, 9), 0, second, 0, 50);
    normalizer.normalize(raw, 0, second, 0, 50);
    assertThat(second).containsExactly(first);
    assertThat(normalizer.mean()).containsExactly(mean);
    assertThat(normalizer.variance()).containsExactly(variance);
    assertThat(normalizer.count()).isEqualTo(50.0001);
  }

  @Test
  void shouldReportDriftInUnitsOfTheOldDeviation() {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(2), 10);
    normalizer.restore(1, new double[] {0, 10}, new double[] {4, 1});
    // Feature 0: mean 0 -> 2, variance (4 + 0 + 16/2)/2 = 6. Feature 1: mean stays, variance
    // halves.
    Drift drift = normalizer.update(new float[] {4, 10}, 1);
    double meanShift = 2.0 / 2;
    double first = Math.sqrt(6) / 2 - 1;
    double second = Math.sqrt(0.5) - 1;
    assertThat(drift.meanDrift()).isCloseTo(meanShift / Math.sqrt(2), within(1e-7));
    assertThat(drift.stdDrift())
        .isCloseTo(Math.sqrt((first * first + second * second) / 2), within(1e-7));
  }

  @Test
  void shouldDriftLessAndLessOnSteadyData() {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(2), 10);
    Drift early = normalizer.update(sample(0, 2000, 5, 3), 1000);
    Drift late = early;
    for (int i = 1; i < 20; i++) {
      late = normalizer.update(sample(i, 2000, 5, 3), 1000);
    }
    assertThat(early.meanDrift()).isGreaterThan(1);
    assertThat(late.meanDrift()).isLessThan(0.01);
    assertThat(late.stdDrift()).isLessThan(0.01);
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void shouldRefuseNonFiniteInputAndChangeNothing(float bad) {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(2), 10);
    normalizer.update(sample(0, 20, 5, 3), 10);
    double[] mean = normalizer.mean();
    double[] variance = normalizer.variance();
    double count = normalizer.count();
    float[] raw = {1, 2, 3, bad};
    assertThatThrownBy(() -> normalizer.update(raw, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "observation row 1, feature 1 must be finite, was " + bad + "; nothing was changed");
    float[] out = new float[4];
    assertThatThrownBy(() -> normalizer.normalize(raw, 0, out, 0, 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(out).containsOnly(0);
    assertThat(normalizer.mean()).containsExactly(mean);
    assertThat(normalizer.variance()).containsExactly(variance);
    assertThat(normalizer.count()).isEqualTo(count);
  }

  @Test
  void shouldContinueExactlyAfterRestore() {
    ObservationNormalizer original = new ObservationNormalizer(ObservationSpace.of(2), 10);
    original.update(sample(0, 20, 5, 3), 10);
    ObservationNormalizer restored = new ObservationNormalizer(ObservationSpace.of(2), 10);
    restored.restore(original.count(), original.mean(), original.variance());
    float[] raw = sample(1, 20, 7, 2);
    float[] expected = new float[20];
    float[] actual = new float[20];
    original.normalize(raw, 0, expected, 0, 10);
    restored.normalize(raw, 0, actual, 0, 10);
    assertThat(actual).containsExactly(expected);
    assertThat(restored.update(raw, 10)).isEqualTo(original.update(raw, 10));
    assertThat(restored.mean()).containsExactly(original.mean());
    assertThat(restored.variance()).containsExactly(original.variance());
    assertThat(restored.count()).isEqualTo(original.count());
  }

  @ParameterizedTest
  @CsvSource({"0,0,1", "NaN,0,1", "Infinity,0,1", "1,NaN,1", "1,0,-1", "1,0,NaN", "1,0,Infinity"})
  void shouldRefuseImpossibleStatistics(double count, double mean, double variance) {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(1), 10);
    assertThatThrownBy(
            () -> normalizer.restore(count, new double[] {mean}, new double[] {variance}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(normalizer.variance()).containsExactly(1);
  }

  /** The raw number is neither shifted, scaled nor clipped, and does not count as drift. */
  @Test
  void shouldLeaveRawPartsAsTheyAre() {
    ObservationSpace space = ObservationSpace.named("price").rawPart("flag", 1);
    ObservationNormalizer normalizer = new ObservationNormalizer(space, 1);
    ObservationNormalizer alone = new ObservationNormalizer(ObservationSpace.of(1), 1);
    ObservationNormalizer.Drift drift = normalizer.update(new float[] {1, 400, 5, 600}, 2);
    assertThat(drift).isEqualTo(alone.update(new float[] {1, 5}, 2));
    float[] seen = new float[4];
    normalizer.normalize(new float[] {1, -500, 9, 0.25f}, 0, seen, 0, 2);
    float[] expected = new float[2];
    alone.normalize(new float[] {1, 9}, 0, expected, 0, 2);
    assertThat(seen).containsExactly(expected[0], -500, expected[1], 0.25f);
    ObservationSpace flags = ObservationSpace.named().rawPart("flags", 2);
    assertThat(new ObservationNormalizer(flags, 1).update(new float[] {7, 9}, 1))
        .isEqualTo(new ObservationNormalizer.Drift(0, 0));
  }

  @Test
  void shouldRefuseImpossibleSizes() {
    ObservationNormalizer normalizer = new ObservationNormalizer(ObservationSpace.of(2), 10);
    assertThatThrownBy(() -> normalizer.update(new float[4], 0)).hasMessageContaining("0 rows");
    assertThatThrownBy(() -> normalizer.update(new float[3], 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 rows in an array of 3");
    assertThatThrownBy(() -> normalizer.restore(1, new double[1], new double[2]))
        .hasMessageContaining("must have 2 features, had 1 means and 2 variances");
    assertThatThrownBy(() -> new ObservationNormalizer(ObservationSpace.of(1), 0))
        .hasMessageContaining("was 0.0");
    assertThatThrownBy(() -> new ObservationNormalizer(ObservationSpace.of(1), Double.NaN))
        .hasMessageContaining("NaN");
  }

  public static float[] sample(int seed, int size, double center, double spread) {
    RandomStream random = RandomStream.of(seed, "sample", 0);
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) (center + spread * random.nextGaussian());
    }
    return values;
  }
}
