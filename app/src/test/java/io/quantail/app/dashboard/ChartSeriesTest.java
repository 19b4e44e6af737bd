package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("DASH-1")
class ChartSeriesTest {

  @Test
  void shouldKeepShortLinesAsTheyAre() {
    ChartSeries series = ChartSeries.of(3, i -> 10L * i, i -> i * i, 4);
    assertThat(series.x()).containsExactly(0, 10, 20);
    assertThat(series.y()).containsExactly(0, 1, 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 100, 999, 2_000})
  void shouldKeepEndsAndSpikesOfLongLines(int most) {
    int size = 10_007;
    ChartSeries series =
        ChartSeries.of(size, i -> i, i -> i == 5_003 ? 1e6 : i == 7_001 ? -1e6 : Math.sin(i), most);

    assertThat(series.x().length).isBetween(4, most);
    assertThat(series.x()).isSorted().doesNotHaveDuplicates();
    assertThat(series.x()[0]).isZero();
    assertThat(series.x()[series.x().length - 1]).isEqualTo(size - 1);
    assertThat(Arrays.stream(series.y()).max()).hasValue(1e6);
    assertThat(Arrays.stream(series.y()).min()).hasValue(-1e6);
  }

  @Test
  void shouldBeEmptyWithoutPoints() {
    assertThat(ChartSeries.of(0, i -> i, i -> i, 10).x()).isEmpty();
  }
}
