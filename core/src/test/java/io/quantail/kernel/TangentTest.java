package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import io.quantail.simd.TanhLoop;
import org.junit.jupiter.api.Test;

/** Vector instructions against {@link TanhApproximation}, to the bit. */
class TangentTest {
  private final float[] x = Samples.vector(RandomStream.of(8, "tangent", 0), 4096, 4);

  TangentTest() {
    x[0] = Float.NaN;
    x[1] = Float.POSITIVE_INFINITY;
    x[2] = Float.NEGATIVE_INFINITY;
    x[3] = -0f;
    x[4] = Float.MIN_VALUE;
  }

  @Test
  void shouldBeTheSameTangent() {
    float[] y = new float[x.length];
    TanhLoop.of(y, x);
    for (int j = 0; j < x.length; j++) {
      assertThat(bits(y[j])).isEqualTo(bits(TanhApproximation.of(x[j])));
    }
  }

  @Test
  void shouldBeTheSameSiluAndSlope() {
    float[] y = new float[x.length];
    float[] slope = x.clone();
    TanhLoop.siluWithSlope(y, slope);
    for (int j = 0; j < x.length; j++) {
      float s = TanhApproximation.sigmoid(x[j]);
      assertThat(bits(y[j])).isEqualTo(bits(x[j] * s));
      assertThat(bits(slope[j])).isEqualTo(bits(Math.fma(x[j] * s, 1 - s, s)));
    }
  }

  /** All NaN are one; zeros are two. */
  private static int bits(float value) {
    return Float.floatToIntBits(value);
  }
}
