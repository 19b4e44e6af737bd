package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SparklineTest {
  @Test
  void shouldClimbFromLowestToHighestLevel() {
    assertThat(Sparkline.of(List.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), 60))
        .isEqualTo("▁▂▃▄▅▆▇█");
  }

  @Test
  void shouldShowNegativeValuesByRank() {
    assertThat(Sparkline.of(List.of(-1000.0, -3.0, -500.0), 60)).isEqualTo("▁█▅");
  }

  @Test
  void shouldStayAtMidHeightWhenFlat() {
    assertThat(Sparkline.of(Collections.nCopies(5, -7.5), 60)).isEqualTo("▅▅▅▅▅");
  }

  @Test
  void shouldShowSingleValue() {
    assertThat(Sparkline.of(List.of(42.0), 60)).isEqualTo("▅");
  }

  @Test
  void shouldBeEmptyWithoutValues() {
    assertThat(Sparkline.of(List.of(), 60)).isEmpty();
  }

  @Test
  void shouldAverageIntoTheWidth() {
    assertThat(Sparkline.of(List.of(0.0, 2.0, 10.0, 10.0, 3.0, 3.0), 3)).isEqualTo("▁█▃");
    List<Double> many = IntStream.range(0, 1000).mapToObj(i -> (double) i).toList();
    assertThat(Sparkline.of(many, 7)).hasSize(7).startsWith("▁").endsWith("█");
  }
}
