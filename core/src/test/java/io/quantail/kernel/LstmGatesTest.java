package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import org.junit.jupiter.api.Test;

/** Vector instructions against plain loops, to the bit. */
class LstmGatesTest {
  private static final int WIDTH = 24;
  private final RandomStream random = RandomStream.of(6, "gates", 0);

  @Test
  void shouldGiveTheSameBitsWithVectorInstructions() {
    for (double scale : new double[] {0.1, 1, 30}) {
      float[] sums = Samples.vector(random, 4 * WIDTH, scale);
      float[] before = Samples.vector(random, WIDTH, 1);
      float[] dHidden = Samples.vector(random, WIDTH, 1);
      float[] dCell = Samples.vector(random, WIDTH, 1);
      LstmLayer.Trace plain = trace(sums, before);
      LstmLayer.Trace fast = trace(sums, before);
      LstmGates loops = new LstmGates(WIDTH, false);
      LstmGates vectors = new LstmGates(WIDTH, true);
      loops.forward(plain, 0);
      vectors.forward(fast, 0);
      assertThat(fast.cell()[0]).isEqualTo(plain.cell()[0]);
      assertThat(fast.hidden()[0]).isEqualTo(plain.hidden()[0]);

      float[] plainCell = dCell.clone();
      loops.backward(plain, 0, dHidden, plainCell);
      vectors.backward(fast, 0, dHidden, dCell);
      assertThat(dCell).isEqualTo(plainCell);
      assertThat(fast.gates()).isDeepEqualTo(plain.gates());
    }
  }

  private static LstmLayer.Trace trace(float[] sums, float[] before) {
    return new LstmLayer.Trace(
        SequencePacking.singleStep(1),
        null,
        null,
        new float[][] {before},
        new float[][] {sums.clone()},
        new float[1][WIDTH],
        new float[1][WIDTH],
        new float[1][WIDTH]);
  }
}
