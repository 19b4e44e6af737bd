package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gradients that count as zero, whatever was there: the same bits as in a vector of zeros. */
class AffineMapTest {
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
    AffineMap plain = affine(inputs, zeros);
    AffineMap cleared = affine(inputs, stale);
    cleared.clearGradient();
    for (int time = 0; time < 2; time++) {
      plain.addGradient(new Workspace(), dy, x, ROWS);
      cleared.addGradient(new Workspace(), dy, x, ROWS);
      assertThat(stale).isEqualTo(zeros);
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 20", "16, 16", "40, 33"})
  void shouldAddTheMapsOfTwoInputs(int inputs, int others) {
    float[][] x = Samples.matrix(random, ROWS, inputs);
    float[][] z = Samples.matrix(random, ROWS, others);
    int second = OUTPUTS * (inputs + 1);
    float[] parameters = Samples.vector(random, second + OUTPUTS * (others + 1), 1);
    float[] stale = stale(parameters.length);
    AffineMap joined = Samples.affine(Samples.joined(inputs, others, OUTPUTS), parameters, stale);
    float[] gradient = new float[parameters.length];
    AffineMap one = Samples.affine(Samples.weights(inputs, OUTPUTS, 0), parameters, gradient);
    AffineMap other =
        Samples.affine(Samples.weights(others, OUTPUTS, second), parameters, gradient);
    joined.clearGradient();

    joined.addGradient(new Workspace(), dy, List.of(x, z), ROWS);
    one.addGradient(new Workspace(), dy, x, ROWS);
    other.addGradient(new Workspace(), dy, z, ROWS);
    assertThat(stale).isEqualTo(gradient);
    assertThat(joined.inputGradient(new Workspace(), 0, dy, ROWS))
        .isDeepEqualTo(one.inputGradient(new Workspace(), dy, ROWS));
    assertThat(joined.inputGradient(new Workspace(), 1, dy, ROWS))
        .isDeepEqualTo(other.inputGradient(new Workspace(), dy, ROWS));
    float[][] y = new float[ROWS][OUTPUTS];
    joined.apply(y, sideBySide(x, z), ROWS);
    float[][] xy = new float[ROWS][OUTPUTS];
    one.apply(xy, x, ROWS);
    float[][] zy = new float[ROWS][OUTPUTS];
    other.apply(zy, z, ROWS);
    for (int row = 0; row < ROWS; row++) {
      FloatVectors.add(xy[row], zy[row]);
      assertThat(y[row]).containsExactly(xy[row], within(1e-4f));
    }
  }

  private static float[][] sideBySide(float[][] x, float[][] z) {
    float[][] both = new float[x.length][];
    for (int row = 0; row < x.length; row++) {
      both[row] = Arrays.copyOf(x[row], x[row].length + z[row].length);
      System.arraycopy(z[row], 0, both[row], x[row].length, z[row].length);
    }
    return both;
  }

  @Test
  void shouldSettleAtZeroWhereNothingCame() {
    float[] stale = stale(OUTPUTS * 4 + 1);
    AffineMap affine = affine(3, stale);
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

  private static AffineMap affine(int inputs, float[] gradient) {
    return new AffineMap(Samples.weights(inputs, OUTPUTS, 0), gradient, ParallelLoop.ALONE);
  }
}
