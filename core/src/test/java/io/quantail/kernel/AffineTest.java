package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gradients that count as zero, whatever was there: the same bits as in a vector of zeros. */
class AffineTest {
  private static final int ROWS = 9;
  private static final int OUTPUTS = 37; // no whole number of tiles
  private static final float STALE = 1e30f;

  private final RandomStream random = RandomStream.of(31, "affine", 0);
  private final float[][] dy = Samples.matrix(random, ROWS, OUTPUTS);

  @ParameterizedTest
  @CsvSource({"5", "16", "40"})
  void shouldWriteTheFirstGradientAndAddTheSecond(int inputs) {
    float[][] x = Samples.matrix(random, ROWS, inputs);
    float[] zeros = new float[OUTPUTS * (inputs + 1)];
    float[] stale = stale(zeros.length);
    Affine plain = affine(inputs, zeros);
    Affine cleared = affine(inputs, stale);
    cleared.clearGradient();
    for (int time = 0; time < 2; time++) {
      plain.addGradient(new Workspace(), dy, x, ROWS);
      cleared.addGradient(new Workspace(), dy, x, ROWS);
      assertThat(stale).isEqualTo(zeros);
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 20", "16, 16", "40, 33"})
  void shouldWriteTheGradientsOfTwoMapsOfOneOutput(int inputs, int others) {
    float[][] x = Samples.matrix(random, ROWS, inputs);
    float[][] z = Samples.matrix(random, ROWS, others);
    float[] zeros = new float[OUTPUTS * (inputs + 1)];
    float[] otherZeros = new float[OUTPUTS * (others + 1)];
    float[] stale = stale(zeros.length);
    float[] otherStale = stale(otherZeros.length);
    Affine one = affine(inputs, stale);
    Affine other = affine(others, otherStale);
    one.clearGradient();
    other.clearGradient();
    Affine.addGradients(
        new Workspace(), dy, affine(inputs, zeros), x, affine(others, otherZeros), z, ROWS);
    Affine.addGradients(new Workspace(), dy, one, x, other, z, ROWS);
    assertThat(stale).isEqualTo(zeros);
    assertThat(otherStale).isEqualTo(otherZeros);
  }

  @Test
  void shouldSettleAtZeroWhereNothingCame() {
    float[] stale = stale(OUTPUTS * 4 + 1);
    Affine affine = affine(3, stale);
    affine.settleGradient();
    assertThat(stale).containsOnly(STALE);
    affine.clearGradient();
    affine.settleGradient();
    assertThat(Arrays.copyOf(stale, OUTPUTS * 4)).containsOnly(0);
    assertThat(stale[OUTPUTS * 4]).as("belongs to nobody").isEqualTo(STALE);
  }

  private static float[] stale(int size) {
    float[] numbers = new float[size];
    Arrays.fill(numbers, STALE);
    return numbers;
  }

  private static Affine affine(int inputs, float[] gradient) {
    return new Affine(Samples.weights(inputs, OUTPUTS, 0), gradient, Team.ALONE);
  }
}
