package io.quantail.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightInitializerTest {
  private static final Offset<Double> CLOSE = within(1e-6);

  @ParameterizedTest
  @CsvSource({"6, 6", "3, 9", "9, 3", "1, 4", "64, 64"})
  void shouldDrawOrthonormalRowsOrColumns(int rows, int columns) {
    double gain = 1.7;
    float[] values =
        WeightInitializer.orthogonal(gain).draw(stream("weight"), new long[] {rows, columns});
    checkOrthogonal(values, 0, rows, columns, gain);
  }

  @Test
  void shouldFillTheIntervalOfAUniformWeight() {
    int width = 16;
    float[] values =
        WeightInitializer.uniform(width).draw(stream("weight"), new long[] {4 * width, 50});
    double[] sorted =
        IntStream.range(0, values.length).mapToDouble(i -> values[i]).sorted().toArray();
    assertThat(sorted).hasSize(3200);
    for (int i = 0; i < sorted.length; i++) {
      double expected = -0.25 + 0.5 * (i + 0.5) / sorted.length;
      assertThat(sorted[i]).isCloseTo(expected, within(0.02));
    }
  }

  @Test
  void shouldGiveTheSameNumbersForTheSameStream() {
    WeightInitializer initializer = WeightInitializer.orthogonal(1);
    long[] shape = {4, 4};
    assertThat(initializer.draw(stream("a"), shape))
        .isEqualTo(initializer.draw(stream("a"), shape));
    assertThat(initializer.draw(stream("a"), shape))
        .isNotEqualTo(initializer.draw(stream("b"), shape));
  }

  private static RandomStream stream(String purpose) {
    return RandomStream.of(3, purpose, 0);
  }

  /** The shorter side's vectors have length gain and are at right angles. */
  private static void checkOrthogonal(
      float[] values, int offset, int rows, int columns, double gain) {
    boolean wide = rows <= columns;
    int vectors = Math.min(rows, columns);
    int length = Math.max(rows, columns);
    for (int a = 0; a < vectors; a++) {
      for (int b = 0; b <= a; b++) {
        double dot = 0;
        for (int i = 0; i < length; i++) {
          int first = wide ? a * columns + i : i * columns + a;
          int second = wide ? b * columns + i : i * columns + b;
          dot += (double) values[offset + first] * values[offset + second];
        }
        assertThat(dot).isCloseTo(a == b ? gain * gain : 0, CLOSE);
      }
    }
  }
}
