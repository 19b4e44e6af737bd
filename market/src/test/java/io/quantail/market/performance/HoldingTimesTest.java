package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Positions of passes, with numbers worked by hand. */
@Requirement("REP-2")
class HoldingTimesTest {
  /** Long for 3 bars (+10 %), flat, short for 1 (−1/11), long for 2 to the end (+5 %). */
  @Test
  void shouldDivideAPassByTheSignOfItsWeight() {
    HoldingTimes times =
        of(
            new double[] {0.5, 0.1, 1, 0, 0, -0.3, 0.2, 0.4},
            new double[] {99, 105, 111, 110, 110, 100, 104, 105});
    assertThat(times.positions()).isEqualTo(3);
    assertThat(times.medianBars()).isEqualTo(2);
    assertThat(times.longestBars()).isEqualTo(3);
    assertThat(times.winRate()).isCloseTo(2.0 / 3, within(1e-12));
  }

  /** The costs of the sale in the last bar turn the gain into a loss. */
  @Test
  void shouldChargeTheSaleToThePosition() {
    HoldingTimes times = of(new double[] {1, 0}, new double[] {100.1, 99.9});
    assertThat(times.winRate()).isZero();
    assertThat(times.medianBars()).isEqualTo(1);
  }

  @Test
  void shouldTakeTheMeanOfTwoMiddleValues() {
    double[] weights = {1, -1, -1, -1, -1};
    HoldingTimes times = of(weights, new double[] {101, 102, 103, 104, 105});
    assertThat(times.medianBars()).isEqualTo(2.5);
    assertThat(times.winRate()).isEqualTo(1);
  }

  @Test
  void shouldHaveNoTimesWithoutPositions() {
    HoldingTimes times = of(new double[] {0, 0}, new double[] {100, 100});
    assertThat(times.positions()).isZero();
    assertThat(times.longestBars()).isZero();
    assertThat(times.medianBars()).isNaN();
    assertThat(times.winRate()).isNaN();
  }

  private static HoldingTimes of(double[] weights, double[] equity) {
    return HoldingTimes.of(
        Curves.pass(LongStream.rangeClosed(1, weights.length).toArray(), weights, equity));
  }
}
