package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("OPT-2")
class UpgdKernelTest {

  @Test
  void shouldFindBoundsWhereverTheyAre() {
    for (int size : new int[] {1, 2, 255, 256, 257, 511, 512, 1000}) {
      for (int place = 0; place < size; place++) {
        float[] values = random(size);
        values[place] = 7;
        assertThat(UpgdKernel.bounds(values)[1]).isEqualTo(7);
        values[place] = -7;
        assertThat(UpgdKernel.bounds(values)[0]).isEqualTo(-7);
      }
    }
  }

  @Test
  void shouldNotOverlookANumberThatIsNotFinite() {
    for (int size : new int[] {1, 256, 300}) {
      for (int place = 0; place < size; place++) {
        float[] values = random(size);
        values[place] = Float.NaN;
        assertThat(UpgdKernel.bounds(values)).containsOnly(Float.NaN);
        values[place] = Float.NEGATIVE_INFINITY;
        assertThat(UpgdKernel.bounds(values)[0]).isEqualTo(Float.NEGATIVE_INFINITY);
      }
    }
  }

  private static float[] random(int size) {
    RandomStream random = RandomStream.of(8, "bounds", size);
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }
}
