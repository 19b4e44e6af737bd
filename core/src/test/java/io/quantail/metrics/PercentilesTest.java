package io.quantail.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PercentilesTest {
  @Test
  void shouldInterpolateBetweenOrderStatistics() {
    double[] sample = {40, 10, 20, 30};

    Percentiles percentiles = Percentiles.of(sample);

    assertThat(percentiles.at(0)).isEqualTo(10);
    assertThat(percentiles.at(0.5)).isEqualTo(25);
    assertThat(percentiles.at(0.9)).isEqualTo(37);
    assertThat(percentiles.at(1)).isEqualTo(40);
    assertThat(sample).containsExactly(40, 10, 20, 30);
  }

  @Test
  void shouldTakeSingleValueForEveryShare() {
    assertThat(Percentiles.of(new double[] {7}).at(0.3)).isEqualTo(7);
  }

  @Test
  void shouldRefuseEmptySampleAndShareOutsideUnit() {
    assertThatThrownBy(() -> Percentiles.of(new double[0]))
        .hasMessageContaining("at least one value");
    Percentiles percentiles = Percentiles.of(new double[] {1, 2});
    assertThatThrownBy(() -> percentiles.at(1.5)).hasMessageContaining("[0, 1], was 1.5");
    assertThatThrownBy(() -> percentiles.at(Double.NaN)).hasMessageContaining("was NaN");
  }
}
