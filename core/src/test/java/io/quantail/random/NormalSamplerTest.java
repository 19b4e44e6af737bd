package io.quantail.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NormalSamplerTest {
  private static final int COUNT = 1_000_000;

  @Test
  void shouldHaveNormalMomentsAndTails() {
    float[] values = draw(7, COUNT);
    double[] moments = new double[5];
    int[] beyond = new int[4];
    for (float value : values) {
      for (int power = 1; power <= 4; power++) {
        moments[power] += Math.pow(value, power) / COUNT;
        beyond[power - 1] += Math.abs(value) > power - 1 ? 1 : 0;
      }
    }
    assertThat(moments[1]).isCloseTo(0, within(5e-3));
    assertThat(moments[2]).isCloseTo(1, within(7e-3));
    assertThat(moments[3]).isCloseTo(0, within(2e-2));
    assertThat(moments[4]).as("a little less than 3: the tails are cut").isBetween(2.94, 3.02);
    assertThat(beyond[1] / (double) COUNT).isCloseTo(0.3173, within(3e-3));
    assertThat(beyond[2] / (double) COUNT).isCloseTo(0.0455, within(1e-3));
    assertThat(beyond[3] / (double) COUNT).isCloseTo(0.0027, within(4e-4));
  }

  @Test
  void shouldNotCorrelateNeighboursOrStreams() {
    float[] one = draw(7, COUNT);
    float[] other = draw(8, COUNT);
    for (int lag = 1; lag <= 6; lag++) {
      assertThat(correlation(one, one, lag)).as("lag %d", lag).isCloseTo(0, within(5e-3));
    }
    assertThat(correlation(one, other, 0)).isCloseTo(0, within(5e-3));
  }

  @Test
  void shouldGiveAnElementTheSameNumberWhateverTheLength() {
    float[] whole = draw(3, 23);
    for (int count = 0; count <= whole.length; count++) {
      assertThat(draw(3, count)).isEqualTo(Arrays.copyOf(whole, count));
    }
  }

  @Test
  void shouldFillOnlyThePartAsked() {
    float[] target = new float[20];
    NormalSampler.fill(RandomStream.of(1, "test", 3), 1, target, 4, 7);
    float[] expected = new float[20];
    System.arraycopy(draw(3, 7), 0, expected, 4, 7);
    assertThat(target).isEqualTo(expected);
  }

  private static float[] draw(long index, int count) {
    float[] values = new float[count];
    NormalSampler.fill(RandomStream.of(1, "test", index), 1, values, 0, count);
    return values;
  }

  private static double correlation(float[] one, float[] other, int lag) {
    double sum = 0;
    for (int i = lag; i < one.length; i++) {
      sum += (double) one[i] * other[i - lag];
    }
    return sum / (one.length - lag);
  }
}
