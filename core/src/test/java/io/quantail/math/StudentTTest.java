package io.quantail.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("EVID-9")
class StudentTTest {
  @Test
  void shouldHaveTheQuantilesOfTables() {
    // tables of T: nu 5: t(0.05) = -2.015048, t(0.01) = -3.364930; nu 4: t(0.025) = -2.776445
    StudentT five = new StudentT(5);
    assertThat(five.quantile(0.05)).isCloseTo(-2.015048 * Math.sqrt(0.6), within(1e-6));
    assertThat(five.quantile(0.01)).isCloseTo(-3.364930 * Math.sqrt(0.6), within(1e-6));
    assertThat(five.quantile(0.99)).isEqualTo(-five.quantile(0.01));
    assertThat(new StudentT(4).quantile(0.025)).isCloseTo(-2.776445 * Math.sqrt(0.5), within(1e-6));
    assertThat(five.quantile(0.5)).isCloseTo(0, within(1e-12));
    // many degrees of freedom: the normal distribution
    assertThat(new StudentT(1e6).quantile(0.05)).isCloseTo(-1.644854, within(1e-5));
    assertThat(new StudentT(1e6).cvar(0.05)).isCloseTo(-2.062713, within(1e-4));
  }

  @Test
  void shouldInvertItsDistribution() {
    for (double nu : new double[] {2.1, 3, 4.5, 8, 30}) {
      StudentT student = new StudentT(nu);
      for (double fraction : new double[] {1e-6, 0.001, 0.01, 0.3, 0.7, 0.95, 0.999}) {
        assertThat(student.cdf(student.quantile(fraction)))
            .isCloseTo(fraction, within(1e-12 + 1e-9 * fraction));
      }
    }
  }

  /** The tail mean is the average of the quantiles below alpha. */
  @Test
  void shouldAverageItsTail() {
    StudentT student = new StudentT(4);
    double sum = 0;
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      // v = alpha u^3 puts the points where the tail is steep; dv = 3 alpha u^2 du
      double u = (i + 0.5) / count;
      sum += student.quantile(0.05 * u * u * u) * 3 * u * u / count;
    }
    assertThat(student.cvar(0.05)).isCloseTo(sum, within(1e-5));
  }

  @Test
  void shouldDrawFromItsDistribution() {
    StudentT student = new StudentT(5);
    RandomStream random = RandomStream.of(1, "student", 0);
    int count = 200_000;
    double squares = 0;
    int below = 0;
    int tail = 0;
    double q05 = student.quantile(0.05);
    double q01 = student.quantile(0.01);
    for (int i = 0; i < count; i++) {
      double value = student.sample(random);
      squares += value * value;
      below += value < q05 ? 1 : 0;
      tail += value < q01 ? 1 : 0;
    }
    assertThat(squares / count).isCloseTo(1, within(0.02));
    assertThat((double) below / count).isCloseTo(0.05, within(0.0015)); // three errors
    assertThat((double) tail / count).isCloseTo(0.01, within(0.0007));
  }

  @Test
  void shouldRefuseAnInfiniteVariance() {
    assertThatThrownBy(() -> new StudentT(2)).hasMessageContaining("larger than 2, was 2");
    assertThatThrownBy(() -> new StudentT(Double.NaN)).hasMessageContaining("was NaN");
    assertThatThrownBy(() -> new StudentT(5).quantile(0)).hasMessageContaining("(0, 1)");
  }
}
