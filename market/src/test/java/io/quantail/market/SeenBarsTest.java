package io.quantail.market;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.split.BarRange;
import io.quantail.testing.Requirement;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Bars are recognised by their prices and times, to the bar, also in the middle of a day. */
@Requirement("SIG-2")
class SeenBarsTest {
  private static final long HOUR = 3_600_000L;

  /** Bars of an hour; 24 to a day. */
  private static Bars hours(String symbol, int from, int to, double scale, int seed) {
    BarsBuilder bars = new BarsBuilder(symbol, HOUR);
    for (int t = from; t < to; t++) {
      double open = scale * (100 + Math.sin(t + seed));
      bars.add(
          (t + 1) * HOUR,
          open,
          open * 1.01,
          open * 0.98,
          open * (1 + 0.001 * Math.sin(t + seed)),
          5);
    }
    return bars.build();
  }

  private static long[] closes(int from, int to) {
    return LongStream.range(from, to).map(t -> (t + 1) * HOUR).toArray();
  }

  private static SeenBars.Overlap overlap(Bars bars, long[] judged) {
    // trained up to noon of the fourth day
    List<SeenBars.Range> seen =
        SeenBars.ranges(List.of(hours("A", 0, 240, 1, 0)), List.of(List.of(new BarRange(0, 84))));
    return SeenBars.overlap(seen, List.of(bars), List.of(judged));
  }

  @Test
  void shouldFindSeenBarsToTheBar() {
    Bars same = hours("A", 0, 240, 1, 0);
    assertThat(overlap(same, closes(84, 240))).isNull();
    assertThat(overlap(same, closes(83, 240)))
        .isEqualTo(new SeenBars.Overlap(1, 157, "1970-01-04T12:00:00Z"));
    assertThat(overlap(same, closes(0, 84)).bars()).isEqualTo(84);
  }

  @Test
  void shouldFindThemUnderAnotherNameScaleAndLength() {
    assertThat(overlap(hours("B", 0, 240, 3, 0), closes(48, 240)).bars()).isEqualTo(36);
    assertThat(overlap(hours("B", 24, 500, 1, 0), closes(24, 500)).bars()).isEqualTo(60);
  }

  @Test
  void shouldNotTakeOtherBarsOfTheSameTimeForThem() {
    assertThat(overlap(hours("A", 0, 240, 1, 1), closes(0, 240))).isNull();
  }
}
