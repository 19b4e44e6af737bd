package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.math.Moments;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BlockLengthTest {
  @Test
  void shouldMatchASlowLoopForEveryRangeOfDependence() {
    boolean bounded = false;
    for (int range = 1; range <= 24; range++) {
      double[] series = movingSum(range, 400);
      BlockLength block = BlockLength.of(series);
      int top = 25;
      int first = firstInsignificant(series, 20);
      int bandwidth = first == 0 ? top : Math.min(2 * first, top);
      bounded |= first > 0 && 2 * first > top;
      assertThat(block.firstInsignificant().orElse(0)).isEqualTo(first);
      assertThat(block.bandwidth()).isEqualTo(bandwidth);
      assertThat(block.length()).isCloseTo(length(series, bandwidth), within(1e-9));
    }
    assertThat(bounded).as("a series whose bandwidth is bounded").isTrue();
  }

  @Test
  void shouldStayBetweenOneAndTheLongest() {
    // Differences of noise have hardly any spectrum at frequency 0, by which the length is divided.
    double[] noise = ReturnProcess.NORMAL.draw("differences", 0, 2_501);
    double[] differences = new double[2_500];
    Arrays.setAll(differences, t -> noise[t + 1] - noise[t]);
    assertThat(BlockLength.of(differences).length()).isEqualTo(150); // 3 sqrt(n)
    assertThat(BlockLength.of(new double[90]).length()).isEqualTo(1);
    double[] single = new double[2_500];
    single[7] = 1;
    assertThat(BlockLength.of(single).length()).isEqualTo(1);
  }

  /** Sums of {@code range} neighbouring normal numbers. */
  private static double[] movingSum(int range, int n) {
    double[] noise = ReturnProcess.NORMAL.draw("moving-sum", range, n + range);
    double[] series = new double[n];
    for (int t = 0; t < n; t++) {
      for (int k = 0; k < range; k++) {
        series[t] += noise[t + k];
      }
    }
    return series;
  }

  private static double covariance(double[] series, int lag) {
    double mean = Moments.mean(series);
    double sum = 0;
    for (int t = lag; t < series.length; t++) {
      sum += (series[t] - mean) * (series[t - lag] - mean) / series.length;
    }
    return sum;
  }

  private static int firstInsignificant(double[] series, int last) {
    double bound = 2 * Math.sqrt(Math.log10(series.length) / series.length);
    for (int lag = 1; lag <= last; lag++) {
      boolean all = true;
      for (int j = lag; j < lag + 5; j++) {
        all &= Math.abs(covariance(series, j) / covariance(series, 0)) < bound;
      }
      if (all) {
        return lag;
      }
    }
    return 0;
  }

  private static double length(double[] series, int bandwidth) {
    double spectrum = covariance(series, 0);
    double slope = 0;
    for (int k = 1; k <= bandwidth; k++) {
      double weight = Math.min(1, 2 * (1 - k / (double) bandwidth));
      spectrum += 2 * weight * covariance(series, k);
      slope += 2 * weight * k * covariance(series, k);
    }
    int n = series.length;
    double free = Math.cbrt(n * slope * slope / (spectrum * spectrum));
    return Math.max(1, Math.min(free, Math.ceil(Math.min(3 * Math.sqrt(n), n / 3.0))));
  }
}
