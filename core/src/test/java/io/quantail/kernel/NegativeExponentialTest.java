package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

class NegativeExponentialTest {
  @Test
  void shouldBeTheExponential() {
    int count = 8_900;
    double[] x = new double[count];
    double[] y = new double[count];
    for (int i = 0; i < count; i++) {
      x[i] = 0.01 * i;
    }
    NegativeExponential.of(y, x);
    assertThat(y[0]).isEqualTo(1);
    for (int i = 0; i < count; i++) {
      assertThat(y[i]).isCloseTo(Math.exp(-x[i]), withinPercentage(1e-8));
    }
  }

  @Test
  void shouldEndNearZeroAndKeepWhatIsNotANumber() {
    double[] y = new double[2];
    NegativeExponential.of(y, new double[] {Double.POSITIVE_INFINITY, Double.NaN});
    assertThat(y[0]).isBetween(0.0, 1e-38);
    assertThat(y[1]).isNaN();
  }
}
