package io.quantail.market.walkforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BacktestResult.Series;
import io.quantail.market.backtest.ChainedAccount;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.performance.Performance;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chained accounts, by hand. */
@Requirement("WF-1")
class ChainedAccountTest {
  private static final WalkForwardFold FIRST = new WalkForwardFold(1, "a/b", "c/d");
  private static final WalkForwardFold SECOND = new WalkForwardFold(2, "a/b", "c/d");

  @Test
  void shouldChainMoneyAndKeepShares() {
    BacktestResult whole =
        ChainedAccount.of(
            "X", List.of(pass("agent", 0, 100, 110, 120), pass("agent", 10, 200, 100, 150)));

    assertThat(whole.series().times()).containsExactly(0, 1, 10, 11);
    // 120 after the first pass; the second halves it and then makes three quarters of it.
    assertThat(whole.series().equity()).containsExactly(110, 120, 60, 90);
    assertThat(whole.initialEquity()).isEqualTo(100);
    // The fee of 2 of 200 is one of 1.2 of 120.
    assertThat(whole.series().fees()).containsExactly(2, 2, 1.2, 1.2);
    assertThat(whole.series().turnover()).containsExactly(0.3, 0.3, 0.3, 0.3);
    assertThat(whole.series().exposures()).containsExactly(0.5, 0.5, 0.5, 0.5);
    assertThat(whole.trades()).hasSize(2);
    assertThat(whole.risk()).isEqualTo(new LimitCounts(2, 4, 6, 8, 10, 12));
    assertThat(whole.barsPerYear()).isEqualTo(1000);
    assertThat(whole.ruined()).isFalse();
  }

  /** Growth of the whole is the product of the growths of the parts. */
  @Test
  void shouldMultiplyTheReturnsOfTheFolds() {
    WalkForwardResult result =
        WalkForwardResult.of(
            List.of(FIRST, SECOND),
            List.of(
                outcome(2, 7, 80),
                outcome(1, 7, 110),
                outcome(1, 5, 90),
                outcome(2, 5, 120),
                outcome(1, 6, 150),
                outcome(2, 6, 100)));

    assertThat(result.outcomes())
        .extracting(FoldResult::seed)
        .containsExactly(5L, 6L, 7L, 5L, 6L, 7L);
    assertThat(result.seeds())
        .extracting(seed -> seed.totalReturn(BaselineComparison.AGENT))
        .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : Double.compare(a, b))
        .containsExactly(0.9 * 1.2 - 1, 0.5, 1.1 * 0.8 - 1);
    assertThat(result.medianSeed().seed()).isEqualTo(5);
    assertThat(result.spread().worst()).isCloseTo(-0.12, within(1e-12));
    assertThat(result.spread().median()).isCloseTo(0.08, within(1e-12));
    assertThat(result.spread().best()).isCloseTo(0.5, within(1e-12));
    assertThat(result.spread(SECOND).worst()).isCloseTo(-0.2, within(1e-12));
    assertThat(result.spread(SECOND).median()).isCloseTo(0, within(1e-12));
    // Held: +10 % in each fold.
    assertThat(result.medianSeed().totalReturn(BaselineComparison.BUY_AND_HOLD))
        .isCloseTo(0.21, within(1e-12));
    assertThat(result.seedsAboveBuyAndHold()).isEqualTo(1);
  }

  @Test
  void shouldTakeTheLowerOfTwoInTheMiddle() {
    assertThat(WalkForwardResult.Spread.of(new double[] {3, 1, 2, 4}).median()).isEqualTo(2);
    assertThat(WalkForwardResult.Spread.of(new double[] {5}).median()).isEqualTo(5);
  }

  private static FoldResult outcome(int fold, long seed, double end) {
    return new FoldResult(fold, seed, 10, List.of(comparison(fold, 100, end)), List.of());
  }

  /** An agent with some equity in a fold; buy-and-hold ends with 110. */
  static BaselineComparison comparison(int fold, double... equity) {
    return new BaselineComparison(
        List.of(
            entry(pass(BaselineComparison.AGENT, 10 * fold, 100, equity)),
            entry(pass(BaselineComparison.BUY_AND_HOLD, 10 * fold, 100, 100, 110))));
  }

  private static BaselineComparison.Entry entry(BacktestResult pass) {
    return new BaselineComparison.Entry(pass, Performance.of(pass, 1));
  }

  private static BacktestResult pass(String policy, long time, double start, double... equity) {
    double[] fees = filled(equity.length, 2);
    long[] times = new long[equity.length];
    Arrays.setAll(times, i -> time + i);
    double[] exposures = filled(equity.length, 0.5);
    double[] none = filled(equity.length, 0);
    double[] turnover = filled(equity.length, 0.3);
    Series series =
        new Series(times, equity, exposures, exposures, equity, fees, none, none, turnover);
    return new BacktestResult(
        "SYMBOL",
        policy,
        new BacktestResult.Start(0, 100, start),
        1000,
        series,
        List.of(new FilledOrder(time, 0, 1, 100, 100, 0, 2)),
        new LimitCounts(1, 2, 3, 4, 5, 6),
        false);
  }

  private static double[] filled(int size, double value) {
    double[] array = new double[size];
    Arrays.fill(array, value);
    return array;
  }
}
