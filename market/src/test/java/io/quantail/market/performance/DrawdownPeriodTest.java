package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Drawdowns of accounts, with numbers worked by hand. */
@Requirement("REP-2")
class DrawdownPeriodTest {
  /** Three drawdowns: 10 % after close 0, 25 % after close 3, 5 % after close 7, still open. */
  @Test
  void shouldOrderDrawdownsByDepth() {
    AccountCurve account = Curves.of(365, 1, 0.9, 1, 2, 1.8, 1.5, 1.9, 2, 1.9);
    List<DrawdownPeriod> all = DrawdownPeriod.deepest(account, 5);
    assertThat(all).hasSize(3);
    require(all.get(0), 3, 5, 7L, 0.25, 3);
    require(all.get(1), 0, 1, 2L, 0.1, 1);
    require(all.get(2), 7, 8, null, 0.05, 1);
    assertThat(DrawdownPeriod.deepest(account, 1)).containsExactly(all.get(0));
  }

  private static void require(
      DrawdownPeriod period, long begin, long trough, Long recovered, double depth, int bars) {
    assertThat(period.begin()).isEqualTo(begin);
    assertThat(period.trough()).isEqualTo(trough);
    assertThat(period.recovered()).isEqualTo(recovered);
    assertThat(period.depth()).isCloseTo(depth, within(1e-12));
    assertThat(period.bars()).isEqualTo(bars);
  }

  @Test
  void shouldFindNoneInARisingAccount() {
    assertThat(DrawdownPeriod.deepest(Curves.of(365, 1, 1, 1.1, 1.1, 1.2), 5)).isEmpty();
  }

  @Test
  void shouldBeTotalWithoutMoney() {
    DrawdownPeriod ruin = DrawdownPeriod.deepest(Curves.of(365, 1, 0.5, 0, 0), 5).get(0);
    require(ruin, 0, 2, null, 1, 3);
  }
}
