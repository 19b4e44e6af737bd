package io.quantail.market.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Accounts over time, with numbers worked by hand. */
@Requirement("REP-2")
class AccountCurveTest {
  private static final BacktestResult FIRST =
      Curves.pass(new long[] {1, 3}, new double[] {0.5, 1}, new double[] {150, 120});

  @Test
  void shouldBeginAtTheFirstDecision() {
    AccountCurve curve = AccountCurve.of(FIRST);
    assertThat(curve.times()).containsExactly(0, 1, 3);
    assertThat(curve.equity()).containsExactly(1, 1.5, 1.2);
    assertThat(curve.exposures()).containsExactly(0, 0.5, 1);
    assertThat(curve.changes()).containsExactly(new double[] {0, 0.5, 0.2}, within(1e-12));
    assertThat(curve.underwater()).containsExactly(new double[] {0, 0, -0.2}, within(1e-12));
    assertThat(curve.returns()).containsExactly(new double[] {0.5, -0.2}, within(1e-12));
    assertThat(curve.logReturns())
        .containsExactly(new double[] {Math.log(1.5), Math.log(0.8)}, within(1e-12));
    assertThat(curve.totalReturn()).isCloseTo(0.2, within(1e-12));
  }

  /**
   * At close 1 only the first symbol has a bar: its position is 0.5 of an equity of 1.5; the
   * other's is 0 of 1.
   */
  @Test
  void shouldWeighTheWeightsOfSymbolsByTheirEquity() {
    BacktestResult second =
        Curves.pass(new long[] {2, 3}, new double[] {-1, 0}, new double[] {50, 80});
    AccountCurve curve =
        AccountCurve.of(
            List.of(FIRST, second), new long[] {1, 2, 3}, new double[] {1.25, 1, 1}, 365);
    assertThat(curve.times()).containsExactly(0, 1, 2, 3);
    assertThat(curve.exposures())
        .containsExactly(new double[] {0, 0.75 / 2.5, (0.75 - 0.5) / 2, 1.2 / 2}, within(1e-12));
  }

  @Test
  void shouldEarnNothingWithoutMoney() {
    AccountCurve curve = Curves.of(365, 1, 0, 0);
    assertThat(curve.returns()).containsExactly(-1, 0);
    assertThat(curve.logReturns()[1]).isZero();
    assertThat(curve.underwater()).containsExactly(0, -1, -1);
  }
}
