package io.quantail.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

class StandardNormalTest {
  @Test
  void shouldMatchTabulatedProbabilities() {
    assertThat(StandardNormal.cumulative(0)).isEqualTo(0.5);
    assertThat(StandardNormal.cumulative(1.96)).isCloseTo(0.9750021048517795, within(1e-15));
    assertThat(StandardNormal.cumulative(-3)).isCloseTo(0.00134989803163009, within(1e-15));
  }

  @Test
  void shouldKeepThePrecisionOfFarTails() {
    assertThat(StandardNormal.cumulative(-6)).isCloseTo(9.865876450377e-10, withinPercentage(1e-9));
    assertThat(StandardNormal.cumulative(-10))
        .isCloseTo(7.619853024160527e-24, withinPercentage(1e-9));
    assertThat(StandardNormal.cumulative(-60)).isZero();
    assertThat(StandardNormal.cumulative(60)).isEqualTo(1);
    double below = StandardNormal.cumulative(Math.nextUp(-5.0));
    assertThat(StandardNormal.cumulative(Math.nextDown(-5.0)))
        .isCloseTo(below, withinPercentage(1e-7));
  }
}
