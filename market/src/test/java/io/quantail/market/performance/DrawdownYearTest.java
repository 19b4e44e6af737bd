package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.backtest.CombinedAccount;
import io.quantail.testing.Requirement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three closes in 2007, three in 2008, one in 2009, by hand. */
@Requirement("EVID-13")
class DrawdownYearTest {
  private static final long[] CLOSES =
      Arrays.stream(
              new String[] {
                "2007-06-01T00:00:00Z",
                "2007-09-01T00:00:00Z",
                "2008-01-01T00:00:00Z", // the close of 31 December 2007
                "2008-03-01T00:00:00Z",
                "2008-09-01T00:00:00Z",
                "2009-01-01T00:00:00Z",
                "2009-02-01T00:00:00Z"
              })
          .mapToLong(time -> Instant.parse(time).toEpochMilli())
          .toArray();

  private static CombinedAccount account(double... equity) {
    return new CombinedAccount(CLOSES, equity, new double[equity.length], 4);
  }

  @Test
  void shouldMeasureTheYearInWhichTheMarketFellDeepest() {
    // The market: -20 % in 2007, from 2 to 1.2 in 2008, from 1.4 to 1 in 2009.
    CombinedAccount market = account(0.8, 1.5, 2, 1.6, 1.2, 1.4, 1);
    CombinedAccount meanWeight = account(0.9, 1.1, 1.2, 1.08, 1.3, 1.17, 1.2);
    CombinedAccount agent = account(0.5, 1, 1.1, 1.2, 1.14, 1.15, 1.1);
    DrawdownYear year = DrawdownYear.of(agent, meanWeight, market).orElseThrow();
    assertThat(year.year()).isEqualTo(2008);
    assertThat(year.buyAndHold()).as("from the last close of 2007").isCloseTo(0.4, within(1e-12));
    assertThat(year.meanWeight()).isCloseTo(0.1, within(1e-12));
    assertThat(year.agent()).as("2007 does not count").isCloseTo(0.05, within(1e-12));
  }

  @Test
  void shouldCountFromTheStartAndEndAtZero() {
    CombinedAccount ruined = account(0.75, 0, 0, 0, 0, 0, 0);
    CombinedAccount none = CombinedAccount.of(List.of(), new long[0]);
    DrawdownYear year = DrawdownYear.of(ruined, none, ruined).orElseThrow();
    assertThat(year.year()).isEqualTo(2007);
    assertThat(year.agent()).isEqualTo(1);
    assertThat(year.meanWeight()).isNull();
    assertThat(DrawdownYear.of(ruined, none, none)).isEmpty();
  }
}
