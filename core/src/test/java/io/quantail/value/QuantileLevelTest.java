package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantileLevelTest {
  /** Levels 0.125, 0.375, 0.625 and 0.875 hold 0, 10, 20 and 40; the first four cross. */
  @ParameterizedTest
  @CsvSource({"0.375, 10", "0.5, 15", "0.25, 5", "0.75, 30", "0.01, 0", "0.99, 40"})
  void shouldInterpolateBetweenSortedQuantiles(double level, double expected) {
    float[] outputs = {20, 0, 40, 10, 0, 10, 20, 40};
    QuantileCritic critic = new QuantileCritic(4, 1);
    for (int offset : new int[] {0, 4}) {
      critic.read(outputs, offset);
      assertThat(critic.quantile(level)).isCloseTo(expected, within(1e-5));
    }
  }

  @Test
  void shouldTakeTheOnlyQuantileForEveryLevel() {
    QuantileCritic critic = new QuantileCritic(1, 1);
    critic.read(new float[] {7}, 0);
    assertThat(critic.quantile(0.9)).isEqualTo(7);
  }
}
