package io.quantail.market.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.limits.LimitCounts;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One account of several symbols, by hand. */
@Requirement("EVID-13")
class CombinedAccountTest {
  private static final long DAY = 24L * 3600 * 1000;
  private static final double DAYS_PER_YEAR = 365.25;

  private static BacktestResult pass(
      double initialEquity, double barsPerYear, long[] times, double... equity) {
    double[] zeros = new double[equity.length];
    return new BacktestResult(
        "A",
        "agent",
        new BacktestResult.Start(0, 1, initialEquity),
        barsPerYear,
        new BacktestResult.Series(times, zeros, zeros, zeros, equity, zeros, zeros, zeros, zeros),
        List.of(),
        new LimitCounts(0, 0, 0, 0, 0, 0),
        false);
  }

  private static BacktestResult pass(long[] times, double... equity) {
    return pass(100, DAYS_PER_YEAR, times, equity);
  }

  /** A pass over consecutive closes, the first at {@code from}. */
  private static BacktestResult regular(long from, long step, int bars) {
    long[] times = new long[bars];
    Arrays.setAll(times, i -> from + i * step);
    double[] equity = new double[bars];
    Arrays.fill(equity, 100);
    return pass(100, DAYS_PER_YEAR * DAY / step, times, equity);
  }

  /** The second symbol begins one bar later and has no bar at 4. */
  @Test
  void shouldKeepTheLastValueOfASymbolWithoutABar() {
    BacktestResult first = pass(new long[] {1, 2, 3, 4, 5}, 200, 220, 200, 300, 260);
    BacktestResult second = pass(1000, DAYS_PER_YEAR, new long[] {2, 3, 5}, 900, 1000, 500);
    CombinedAccount account = CombinedAccount.of(List.of(first, second));
    assertThat(account.times()).containsExactly(1, 2, 3, 4, 5);
    // Halves of 2 and 1, 2.2 and 0.9, 2 and 1, 3 and 1, 2.6 and 0.5.
    double[] equity = {1.5, 1.55, 1.5, 2, 1.55};
    double before = 1;
    for (int t = 0; t < equity.length; t++) {
      assertThat(account.equity()[t]).isCloseTo(equity[t], within(1e-15));
      assertThat(account.returns()[t]).isCloseTo(equity[t] / before - 1, within(1e-15));
      assertThat(account.logReturns()[t]).isCloseTo(Math.log(equity[t] / before), within(1e-15));
      before = equity[t];
    }
    assertThat(account.totalReturn()).isCloseTo(0.55, within(1e-15));
  }

  /** Money is not moved: half of it doubles twice, and the other half stays. */
  @Test
  void shouldNotMoveMoneyBetweenSymbols() {
    CombinedAccount account =
        CombinedAccount.of(
            List.of(pass(new long[] {1, 2}, 200, 400), pass(new long[] {1, 2}, 100, 100)));
    assertThat(account.equity()).containsExactly(1.5, 2.5);
  }

  @Test
  void shouldBeTheAccountItselfForOneSymbol() {
    BacktestResult only = pass(new long[] {1, 2, 3}, 110, 88.0000001, 92.4);
    CombinedAccount account = CombinedAccount.of(List.of(only));
    assertThat(account.times()).isEqualTo(only.series().times());
    assertThat(account.logReturns()).isEqualTo(only.logReturns());
    assertThat(account.returns()).containsExactly(only.returns(), within(1e-15));
    assertThat(account.barsPerYear()).isCloseTo(DAYS_PER_YEAR, within(1e-9));
  }

  /** The first account ends with a debt, which its broker bears; it never counts below 0. */
  @Test
  void shouldKeepWhatARuinedAccountHadLeft() {
    BacktestResult ruined = pass(new long[] {1, 2}, 110, -30);
    BacktestResult other = pass(new long[] {1, 2, 3, 4}, 100, 100, 120, 120);
    CombinedAccount account = CombinedAccount.of(List.of(ruined, other));
    assertThat(account.equity()[0]).isCloseTo(1.05, within(1e-15));
    assertThat(account.equity()[1]).isCloseTo(0.5, within(1e-15));
    assertThat(account.equity()[3]).isCloseTo(0.6, within(1e-15));
    BacktestResult half = pass(new long[] {1, 2}, 110, 55);
    assertThat(CombinedAccount.of(List.of(half, other)).totalReturn())
        .isCloseTo((0.55 + 1.2) / 2 - 1, within(1e-15));

    long[] all = CombinedAccount.closes(List.of(ruined, other));
    CombinedAccount alone = CombinedAccount.of(List.of(ruined), all);
    assertThat(alone.logReturns()).hasSize(4).startsWith(ruined.logReturns()).endsWith(0, 0);
    assertThat(alone.returns()[1]).isEqualTo(-1);
    assertThat(alone.returns()).endsWith(0, 0);
    assertThat(alone.totalReturn()).isEqualTo(-1);
  }

  @Test
  void shouldAnnualiseWithTheClosesOfAllSymbols() {
    BacktestResult midnight = regular(DAY, DAY, 100);
    BacktestResult noon = regular(DAY + DAY / 2, DAY, 100);
    assertThat(barsPerYear(midnight, regular(DAY, DAY, 100)))
        .as("the same closes")
        .isCloseTo(365.25, within(1e-9));
    // 200 closes between the start of the first, at 0, and the last close of the second.
    assertThat(barsPerYear(midnight, noon)).isCloseTo(200 / 100.5 * 365.25, within(1e-9));
    // The hours of one day and 100 days: 24 + 100 - 1 closes in 100 days.
    assertThat(barsPerYear(midnight, regular(DAY / 24, DAY / 24, 24)))
        .isCloseTo(123 / 100.0 * 365.25, within(1e-9));
    // The second symbol begins 50 days after the first: 150 daily closes.
    assertThat(barsPerYear(midnight, regular(51 * DAY, DAY, 100))).isCloseTo(365.25, within(1e-9));
  }

  /** Two stretches of 50 days, ten years apart, are 100 days of trading. */
  @Test
  void shouldNotCountTheGapsBetweenChainedPasses() {
    BacktestResult chained =
        ChainedAccount.of("A", List.of(regular(DAY, DAY, 50), regular(3653 * DAY, DAY, 50)));
    assertThat(barsPerYear(chained)).isCloseTo(365.25, within(1e-9));
    assertThat(barsPerYear(chained, chained)).isCloseTo(365.25, within(1e-9));
  }

  private static double barsPerYear(BacktestResult... passes) {
    return CombinedAccount.of(List.of(passes)).barsPerYear();
  }
}
