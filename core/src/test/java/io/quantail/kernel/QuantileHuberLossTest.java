package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vector instructions against a plain loop, to the bit. */
class QuantileHuberLossTest {
  private static final int OFFSET = 3;

  @ParameterizedTest
  @ValueSource(floats = {0, -2.2f, 0.7f, 1e6f, Float.NEGATIVE_INFINITY, Float.NaN})
  void shouldGiveTheSameBitsWithVectorInstructions(float target) {
    RandomStream random = RandomStream.of(32, "quantile loss", 0);
    float[] above = Samples.vector(random, 32, 1);
    float[] below = Samples.vector(random, 32, 1);
    float[] outputs = Samples.vector(random, OFFSET + 32, 1);
    outputs[OFFSET + 5] = target;
    QuantileHuberLoss loss = new QuantileHuberLoss(0.7f, above, below);
    float[] losses = new float[32];
    float[] slopes = new float[OFFSET + 32];
    float[] expectedLosses = new float[32];
    float[] expectedSlopes = new float[OFFSET + 32];
    loss.evaluate(outputs, OFFSET, target, -0.3f, losses, slopes);
    loss.evaluatePlainly(outputs, OFFSET, target, -0.3f, expectedLosses, expectedSlopes);
    assertThat(losses).isEqualTo(expectedLosses);
    assertThat(slopes).isEqualTo(expectedSlopes).startsWith(0, 0, 0);
  }
}
