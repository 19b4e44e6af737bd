package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vector instructions against a plain loop, to the bit. */
class QuantileHuberLossTest {
  private static final int OFFSET = 3;

  @ParameterizedTest
  @CsvSource({"0, 0", "0.7, -2.2", "1, 0.7", "0, 1e6", "0.7, -Infinity", "0, NaN", "1, NaN"})
  void shouldGiveTheSameBitsWithVectorInstructions(double kappa, float particle) {
    RandomStream random = RandomStream.of(32, "quantile loss", 0);
    for (int quantiles : new int[] {1, 8, 13, 51}) {
      float[] outputs = Samples.vector(random, OFFSET + quantiles, 1);
      float[] particles = Samples.vector(random, 20, 1);
      particles[7] = particle;
      outputs[OFFSET + quantiles / 2] = particle;
      double[] levels = new double[quantiles];
      Arrays.setAll(levels, i -> (i + 0.5) / quantiles);
      QuantileHuberLoss loss = new QuantileHuberLoss(levels, kappa);
      float[] slopes = new float[OFFSET + quantiles];
      float[] expectedSlopes = new float[OFFSET + quantiles];
      double value = loss.evaluate(outputs, OFFSET, particles, 2, 16, 0.3, slopes);
      double expected =
          loss.evaluatePlainly(outputs, OFFSET, particles, 2, 16, 0.3, expectedSlopes);
      assertThat(value).isEqualTo(Double.valueOf(expected)); // also where both are NaN
      assertThat(slopes).isEqualTo(expectedSlopes).startsWith(0, 0, 0);
    }
  }
}
