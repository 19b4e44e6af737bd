package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.evidence.RollingCvar;
import io.quantail.evidence.SharpeStatistics;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.performance.Performance;
import io.quantail.random.RandomStream;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Verdicts on accounts, by hand. */
@Requirement("EVID-13")
class VerdictTest {

  static BacktestResult pass(String symbol, String policy, long[] times, double... equity) {
    double[] ones = new double[equity.length];
    Arrays.fill(ones, 1);
    double[] zeros = new double[equity.length];
    return new BacktestResult(
        symbol,
        policy,
        new BacktestResult.Start(0, 1, 100),
        365.25,
        new BacktestResult.Series(times, ones, ones, ones, equity, zeros, zeros, zeros, zeros),
        List.of(),
        new LimitCounts(0, 0, 0, 0, 0, 0),
        false);
  }

  /** Equity of returns, from 100 on. */
  private static BacktestResult path(String symbol, String policy, double... returns) {
    double[] equity = new double[returns.length];
    long[] times = new long[returns.length];
    double value = 100;
    for (int i = 0; i < returns.length; i++) {
      value *= 1 + returns[i];
      equity[i] = value;
      times[i] = 86_400_000L * (i + 1);
    }
    return pass(symbol, policy, times, equity);
  }

  /** The agent is ruined in the second of four bars; its baselines go on. */
  @Test
  void shouldCompareARuinedAccountOnAllBars() {
    AccountVerdict verdict =
        Verdict.of(
                List.of(
                    comparison(
                        path("A", BaselineComparison.AGENT, 0.1, -0.5),
                        path("A", BaselineComparison.BUY_AND_HOLD, 0.1, 0.1, 0.1, 0.1))),
                1)
            .account();
    assertThat(verdict.bars()).isEqualTo(4);
    assertThat(verdict.totalReturn()).isCloseTo(-0.45, within(1e-12));
    assertThat(verdict.baselines().get(BaselineComparison.BUY_AND_HOLD))
        .isCloseTo(Math.pow(1.1, 4) - 1, within(1e-12));
  }

  /** Symbols without a common bar have one account all the same: -10 % and +10 % of a half. */
  @Test
  void shouldCombineSymbolsOfDifferentTimes() {
    BacktestResult early = pass("A", "agent", new long[] {1, 2}, 100, 90);
    BacktestResult late = pass("B", "agent", new long[] {3, 4}, 100, 110);
    AccountVerdict combined = Verdict.of(List.of(comparison(early), comparison(late)), 1).account();
    assertThat(combined.bars()).isEqualTo(4);
    assertThat(combined.totalReturn()).isCloseTo(0, within(1e-15));
    assertThat(combined.skill()).isEqualTo(AccountVerdict.Skill.UNDEFINED);
    assertThat(combined.notes()).isNotEmpty();
  }

  private static BaselineComparison comparison(BacktestResult... results) {
    List<BaselineComparison.Entry> entries = new ArrayList<>();
    for (BacktestResult result : results) {
      entries.add(new BaselineComparison.Entry(result, Performance.of(result, 1)));
    }
    return new BaselineComparison(entries);
  }

  private static double[] market(int n, long seed) {
    RandomStream random = RandomStream.of(seed, "market", 0);
    double[] returns = new double[n];
    Arrays.setAll(returns, i -> 0.01 * random.nextGaussian());
    return returns;
  }

  private static BaselineComparison against(String symbol, double[] agent, double[] market) {
    double[] half = Arrays.stream(market).map(value -> value / 2).toArray();
    return comparison(
        path(symbol, BaselineComparison.AGENT, agent),
        path(symbol, BaselineComparison.BUY_AND_HOLD, market),
        path(symbol, BaselineComparison.EXPOSURE_MATCHED, half),
        path(symbol, BaselineComparison.FLAT, new double[market.length]));
  }

  /** The complaint that the verdict answers: a falling market makes a small position look good. */
  @Test
  void shouldNotCallASmallPositionInAFallingMarketSkill() {
    double[] market = Arrays.stream(market(500, 3)).map(value -> value - 0.002).toArray();
    double[] half = Arrays.stream(market).map(value -> value / 2).toArray();
    AccountVerdict verdict = Verdict.of(List.of(against("A", half, market)), 1).account();
    assertThat(verdict.totalReturn())
        .isGreaterThan(verdict.baselines().get(BaselineComparison.BUY_AND_HOLD));
    assertThat(verdict.skill()).isEqualTo(AccountVerdict.Skill.NOT_SHOWN);
    assertThat(verdict.timing().difference()).isZero();
    assertThat(verdict.market().beta()).isCloseTo(0.5, within(1e-9));
    assertThat(verdict.market().alpha()).isCloseTo(0, within(1e-9));
    assertThat(verdict.luck().minimumTrackRecord()).as("a loss is never proven").isNull();
    SharpeStatistics only =
        SharpeStatistics.of(path("A", BaselineComparison.AGENT, half).returns());
    assertThat(verdict.luck().trials()).isEqualTo(1);
    assertThat(verdict.luck().sharpe()).isCloseTo(only.sharpe(), within(1e-12));
    assertThat(verdict.luck().deflatedSharpe())
        .as("one trial deflates nothing")
        .isEqualTo(verdict.luck().probabilisticSharpe())
        .isCloseTo(only.probabilistic(0), within(1e-12));
    assertThat(verdict.symbol()).isEqualTo("A");
    assertThat(verdict.notes()).isEmpty();
  }

  @Test
  void shouldShowTimingThatIsThereAndTimingThatLoses() {
    double[] market = market(500, 4);
    double[] timed = Arrays.stream(market).map(value -> value > 0 ? value : 0).toArray();
    double[] wrong = Arrays.stream(market).map(value -> value > 0 ? 0 : value).toArray();
    Verdict verdict =
        Verdict.of(List.of(against("A", timed, market), against("B", wrong, market)), 1);
    assertThat(verdict.account().symbol()).isNull();
    assertThat(verdict.symbols())
        .extracting(AccountVerdict::skill)
        .containsExactly(AccountVerdict.Skill.SHOWN, AccountVerdict.Skill.NEGATIVE);
    assertThat(verdict.symbols().get(0).sharpe().interval().low()).isPositive();
    assertThat(verdict.symbols().get(0).luck().probabilisticSharpe()).isGreaterThan(0.95);
    assertThat(verdict)
        .isEqualTo(verdict)
        .isEqualTo(
            Verdict.of(List.of(against("A", timed, market), against("B", wrong, market)), 1));
  }

  @Test
  void shouldLeaveUndefinedWhatTheBarsCannotAnswer() {
    double[] few = market(29, 5);
    AccountVerdict shortOne = Verdict.of(List.of(against("A", few, few)), 1).account();
    assertThat(shortOne.skill()).isEqualTo(AccountVerdict.Skill.UNDEFINED);
    assertThat(shortOne.timing()).isNull();
    assertThat(shortOne.notes()).anyMatch(note -> note.contains("29 values, at least 30"));
    AccountVerdict flat =
        Verdict.of(List.of(against("A", new double[100], market(100, 6))), 1).account();
    assertThat(flat.luck().undefined()).isEqualTo("the returns do not vary");
    assertThat(flat.sharpe()).isNull();
    assertThat(flat.market().beta()).isZero();
  }

  /** The rolling CVaR of a report is that of each window. */
  @Test
  void shouldRollAsWindowByWindow() {
    double[] returns = market(60, 8);
    double[] series = RollingCvar.series(returns, 0.1, 25);
    assertThat(series).hasSize(36);
    for (int i = 0; i < series.length; i++) {
      double[] window = Arrays.copyOfRange(returns, i, i + 25);
      assertThat(series[i])
          .isCloseTo(EmpiricalCvar.empirical(window, 0.1, 0).cvar(), within(1e-15));
    }
  }
}
