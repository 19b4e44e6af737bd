package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantileLevelTest {
  /** Levels 0.125, 0.375, 0.625 and 0.875 hold 0, 10, 20 and 40; the first row lets them cross. */
  @ParameterizedTest
  @CsvSource({"0.375, 10", "0.5, 15", "0.25, 5", "0.75, 30", "0.01, 0", "0.99, 40"})
  void shouldInterpolateBetweenSortedQuantiles(double level, double expected) {
    try (Scope scope = Scope.open()) {
      Tensor outputs = Tensor.of(new float[] {20, 0, 40, 10, 0, 10, 20, 40}, 2, 4);
      double[] quantiles = new QuantileCritic(4, 1).quantile(outputs, level).doubles();
      assertThat(quantiles).containsExactly(new double[] {expected, expected}, within(1e-5));
    }
  }

  @Test
  void shouldTakeTheOnlyQuantileForEveryLevel() {
    try (Scope scope = Scope.open()) {
      Tensor outputs = Tensor.of(new float[] {7}, 1, 1);
      assertThat(new QuantileCritic(1, 1).quantile(outputs, 0.9).doubles()).containsExactly(7);
    }
  }
}
