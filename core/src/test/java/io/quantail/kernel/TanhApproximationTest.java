package io.quantail.kernel;

import static io.quantail.simd.TanhCoefficients.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TanhApproximationTest {
  @Test
  void shouldBeWithinAFewUnitsInTheLastPlace() {
    double worst = 0;
    for (double x = -12; x < 12; x += 1e-4) {
      float rounded = (float) x;
      double expected = Math.tanh(rounded);
      double unit = Math.ulp((float) expected);
      worst = Math.max(worst, Math.abs(TanhApproximation.of(rounded) - expected) / unit);
    }
    assertThat(worst).isLessThan(5);
  }

  /** Below 7 it is further from 1 than it can err. */
  @Test
  void shouldNotStepOverOneBeforeItEndsThere() {
    float largest = 0;
    for (float x = 7; x <= LIMIT; x = Math.nextUp(x)) {
      largest = Math.max(largest, TanhApproximation.of(x));
    }
    assertThat(largest).isEqualTo(1);
    assertThat(TanhApproximation.of(LIMIT)).isEqualTo(1);
    assertThat(TanhApproximation.of(Math.nextUp(LIMIT))).isEqualTo(1);
    assertThat(TanhApproximation.of(Float.POSITIVE_INFINITY)).isEqualTo(1);
  }

  @Test
  void shouldBeOddAndPassOnWhatIsNotANumber() {
    for (float x = 0; x < 100; x += 0.013f) {
      assertThat(TanhApproximation.of(-x)).isEqualTo(-TanhApproximation.of(x));
    }
    assertThat(TanhApproximation.of(Float.NaN)).isNaN();
    assertThat(TanhApproximation.of(Float.MIN_NORMAL)).isEqualTo(Float.MIN_NORMAL);
  }

  @Test
  void shouldGiveTheSigmoidOfExp() {
    for (float x = -30; x < 30; x += 0.01f) {
      assertThat((double) TanhApproximation.sigmoid(x))
          .isCloseTo(1 / (1 + Math.exp(-x)), within(2e-7));
    }
  }
}
