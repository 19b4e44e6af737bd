package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.math.Moments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongRunErrorTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 39, 60})
  void shouldEqualTheWeightedSumOfAutocovariances(int bandwidth) {
    double[] values = ReturnProcess.GARCH.draw("long-run", 0, 40);
    int n = values.length;
    double mean = Moments.mean(values);
    double sum = 0;
    for (int lag = -bandwidth; lag <= bandwidth; lag++) {
      double covariance = 0;
      for (int t = 0; t < n; t++) {
        int other = t + lag;
        if (other >= 0 && other < n) {
          covariance += (values[t] - mean) * (values[other] - mean) / n;
        }
      }
      sum += (1 - Math.abs(lag) / (bandwidth + 1.0)) * covariance;
    }
    assertThat(LongRunError.of(values, bandwidth)).isCloseTo(Math.sqrt(sum / n), within(1e-12));
  }

  @Test
  void shouldBeZeroForAConstant() {
    assertThat(LongRunError.of(new double[] {2, 2, 2, 2}, 2)).isZero();
  }
}
