package io.quantail.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  @Test
  void shouldInterpolateBetweenOrderStatistics() {
    double[] sample = {40, 10, 20, 30};

    Percentiles percentiles = Percentiles.of(sample);

    assertThat(percentiles.at(0)).isEqualTo(10);
    assertThat(percentiles.at(0.5)).isEqualTo(25);
    assertThat(percentiles.at(0.9)).isEqualTo(37);
    assertThat(percentiles.at(1)).isEqualTo(40);
    assertThat(sample).containsExactly(40, 10, 20, 30);
  }

  @Test
  void shouldGiveTheOrderStatisticsOfASort() {
    RandomStream random = RandomStream.of(3, "percentiles", 0);
    for (int size : new int[] {1, 2, 3, 10, 101, 2048}) {
      for (int levels : new int[] {1, 2, 5, 1 << 30}) { // few levels: many equal values
        for (int shape = 0; shape < 3; shape++) {
          double[] sample = sample(random, size, levels, shape);
          double[] sorted = sample.clone();
          Arrays.sort(sorted);
          Percentiles percentiles = Percentiles.of(sample);
          for (int i = 0; i < 5; i++) {
            int rank = random.nextInt(size);
            double share = size == 1 ? 0 : (double) rank / (size - 1);
            assertThat(percentiles.at(share)).isCloseTo(sorted[rank], within(1e-9 * levels));
            assertThat(percentiles.lowest(rank + 1)).isEqualTo(Arrays.copyOf(sorted, rank + 1));
          }
        }
      }
    }
  }

  /** In any order, rising to the middle and falling again, or in order. */
  private static double[] sample(RandomStream random, int size, int levels, int shape) {
    double[] sample = new double[size];
    Arrays.setAll(sample, i -> random.nextInt(levels));
    if (shape == 1) {
      Arrays.setAll(sample, i -> Math.min(i, size - i) % levels);
    } else if (shape == 2) {
      Arrays.sort(sample);
    }
    return sample;
  }

  @Test
  void shouldPutWhatIsNotANumberLast() {
    Percentiles percentiles = Percentiles.of(new double[] {Double.NaN, 3, Double.NaN, 1, 2});
    assertThat(percentiles.at(0)).isEqualTo(1);
    assertThat(percentiles.at(0.25)).isEqualTo(2);
    assertThat(percentiles.at(1)).isNaN();
  }

  @Test
  void shouldTakeSingleValueForEveryShare() {
    assertThat(Percentiles.of(new double[] {7}).at(0.3)).isEqualTo(7);
  }

  @Test
  void shouldRefuseEmptySampleAndShareOutsideUnit() {
    assertThatThrownBy(() -> Percentiles.of(new double[0]))
        .hasMessageContaining("at least one value");
    Percentiles percentiles = Percentiles.of(new double[] {1, 2});
    assertThatThrownBy(() -> percentiles.at(1.5)).hasMessageContaining("[0, 1], was 1.5");
    assertThatThrownBy(() -> percentiles.at(Double.NaN)).hasMessageContaining("was NaN");
  }
}
