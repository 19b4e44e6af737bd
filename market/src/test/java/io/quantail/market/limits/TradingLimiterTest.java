package io.quantail.market.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

@Requirement("RISK-1")
class TradingLimiterTest {
  private static final long HOUR = 3_600_000L;
  private static final long DAY = 24 * HOUR;

  private static TradingLimiter guard(TradingLimits limits) {
    TradingLimiter guard = new TradingLimiter(limits, () -> false);
    guard.open(100, 10 * DAY);
    return guard;
  }

  @Test
  void shouldCutTheWeight() {
    TradingLimiter guard = guard(new TradingLimits(0.4, 1, 1, 1, null, "", true));
    assertThat(guard.limit(10 * DAY + HOUR, 100, 0, 0.9)).isEqualTo(0.4);
    assertThat(guard.limit(10 * DAY + HOUR, 100, 0, -0.9)).isEqualTo(-0.4);
    assertThat(guard.limit(10 * DAY + HOUR, 100, 0, 0.3)).isEqualTo(0.3);
    assertThat(guard.counts().maxWeight()).isEqualTo(2);
  }

  @Test
  void shouldStayFlatAfterTheDrawdownStop() {
    TradingLimiter guard = guard(new TradingLimits(1, 0.2, 1, 1, null, "", true));
    assertThat(guard.limit(10 * DAY + HOUR, 150, 1, 1)).isEqualTo(1);
    assertThat(guard.limit(10 * DAY + 2 * HOUR, 121, 1, 1)).isEqualTo(1);
    assertThat(guard.limit(10 * DAY + 3 * HOUR, 120, 1, 1)).isZero();
    assertThat(guard.limit(10 * DAY + 4 * HOUR, 200, 1, 1)).isZero();
    assertThat(guard.counts().drawdownStop()).isEqualTo(2);
  }

  @Test
  void shouldCoolDownAfterADailyLossAndCountAnew() {
    TradingLimiter guard = guard(new TradingLimits(1, 1, 0.05, 2, null, "", true));
    assertThat(guard.limit(10 * DAY + HOUR, 96, 1, 1)).isEqualTo(1);
    assertThat(guard.limit(10 * DAY + 2 * HOUR, 95, 1, 1)).isZero();
    assertThat(guard.limit(10 * DAY + 3 * HOUR, 95, 0, 1)).isZero();
    assertThat(guard.limit(10 * DAY + 4 * HOUR, 95, 0, 1)).isEqualTo(1);
    assertThat(guard.counts().dailyLossStops()).isEqualTo(1);
    assertThat(guard.counts().cooldown()).isEqualTo(2);
    // A new day starts from the last equity of the day before, so the first bar counts.
    assertThat(guard.limit(11 * DAY + HOUR, 90, 1, 1)).isZero();
    assertThat(guard.counts().dailyLossStops()).isEqualTo(2);
  }

  @Test
  void shouldLetABarThatClosesAtMidnightBelongToTheDayBefore() {
    TradingLimiter guard = guard(new TradingLimits(1, 1, 1, 1, 1.0, "", true));
    guard.limit(10 * DAY + HOUR, 100, 0, 0);
    guard.traded(1.0);
    assertThat(guard.limit(11 * DAY, 100, 0.2, 0.7)).isEqualTo(0.2);
    assertThat(guard.limit(11 * DAY + 1, 100, 0.2, 0.7)).isEqualTo(0.7);
  }

  @Test
  void shouldCapTheTurnoverOfADayButNeverAnExit() {
    TradingLimiter guard = guard(new TradingLimits(1, 0.5, 1, 1, 0.6, "", true));
    assertThat(guard.limit(10 * DAY + HOUR, 100, 0, 0.5)).isEqualTo(0.5);
    guard.traded(0.5);
    assertThat(guard.limit(10 * DAY + 2 * HOUR, 100, 0.5, 1)).isCloseTo(0.6, within(1e-12));
    guard.traded(0.1);
    assertThat(guard.limit(10 * DAY + 3 * HOUR, 100, 0.6, 0)).isCloseTo(0.6, within(1e-12));
    assertThat(guard.limit(10 * DAY + 4 * HOUR, 50, 0.6, 0.6)).isZero();
    assertThat(guard.counts().turnover()).isEqualTo(2);
  }

  @Test
  void shouldObeyTheKillFile() {
    AtomicBoolean killed = new AtomicBoolean();
    TradingLimiter guard = new TradingLimiter(TradingLimits.defaults(), killed::get);
    guard.open(100, 0);
    assertThat(guard.limit(HOUR, 100, 0, 1)).isEqualTo(1);
    killed.set(true);
    assertThat(guard.limit(2 * HOUR, 100, 1, 1)).isZero();
    killed.set(false);
    assertThat(guard.limit(3 * HOUR, 100, 0, 1)).isEqualTo(1);
    assertThat(guard.counts()).isEqualTo(new LimitCounts(0, 0, 0, 0, 0, 1));
  }

  @Test
  void shouldDoNothingByDefault() {
    TradingLimiter guard = guard(TradingLimits.defaults());
    for (int i = 1; i < 100; i++) {
      assertThat(guard.limit(10 * DAY + i * HOUR, 100.0 / i, 1, -1)).isEqualTo(-1);
    }
    assertThat(guard.counts()).isEqualTo(new LimitCounts(0, 0, 0, 0, 0, 0));
  }
}
