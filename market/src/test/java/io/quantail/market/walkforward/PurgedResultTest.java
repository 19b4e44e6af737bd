package io.quantail.market.walkforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BacktestResult.Series;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.TailForecast;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.performance.Performance;
import io.quantail.market.split.SplitSettings;
import io.quantail.market.split.WalkForwardSettings;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Paths of a purged cross-validation, by hand: 3 groups, 2 tested, folds 12, 13 and 23. */
@Requirement("EVID-1")
class PurgedResultTest {
  private static final WalkForwardSettings SETTINGS =
      new WalkForwardSettings(4, 0, false, 1, WalkForwardSettings.Scheme.PURGED, 3, 2);
  private static final List<PurgedFold> FOLDS = PurgedFold.of(SETTINGS);

  @Test
  void shouldTestEveryChoiceOfGroups() {
    assertThat(FOLDS)
        .containsExactly(
            new PurgedFold(1, 3, List.of(1, 2)),
            new PurgedFold(2, 3, List.of(1, 3)),
            new PurgedFold(3, 3, List.of(2, 3)));
    RunConfig base =
        YamlConfig.parse(
            "",
            "test",
            List.of(
                "environment.name=Market-v0",
                "market.split.embargoBars=77",
                "market.walkforward.seeds=9"));
    RunConfig run = FOLDS.get(1).run(base, 5);
    SplitSettings split = MarketProvider.settings(run).split();
    assertThat(run.seed()).isEqualTo(5);
    assertThat(split.by()).isEqualTo(SplitSettings.By.PURGED);
    assertThat(split.groups()).isEqualTo(3);
    assertThat(split.testedGroups()).containsExactly(1, 3);
    assertThat(split.embargoBars()).isEqualTo(77);
  }

  /** Path 1: folds 1, 1, 2. Path 2: folds 2, 3, 3. The growth of a path is the product. */
  @Test
  void shouldChainTheGroupsOfEachPath() {
    PurgedResult result =
        PurgedResult.of(
            List.of("X"),
            FOLDS,
            0.5,
            List.of(
                outcome(3, 7, pass(2, 150), pass(3, 110)),
                outcome(1, 7, pass(1, 120), pass(2, 80)),
                outcome(2, 7, pass(1, 90), pass(3, 100))));

    assertThat(result.paths()).hasSize(2);
    PathResult first = result.paths().get(0);
    PathResult second = result.paths().get(1);
    assertThat(first.folds()).containsExactly(1, 1, 2);
    assertThat(second.folds()).containsExactly(2, 3, 3);
    assertThat(first.numbers().totalReturn()).isCloseTo(1.2 * 0.8 * 1 - 1, within(1e-12));
    assertThat(second.numbers().totalReturn()).isCloseTo(0.9 * 1.5 * 1.1 - 1, within(1e-12));
    assertThat(second.groups().get(1)).isCloseTo(0.5, within(1e-12));
    assertThat(first.symbols().get(0).symbol()).isEqualTo("X");
    assertThat(first.symbols().get(0).series().times()).containsExactly(10, 11, 20, 21, 30, 31);
    // Equity 1, 1.2, 1.2, 0.96, 0.96, 0.96: three of six log-returns are the tail.
    assertThat(first.numbers().maxDrawdown()).isCloseTo(0.2, within(1e-12));
    assertThat(first.numbers().cvar()).isCloseTo(Math.log(0.8) / 3, within(1e-12));
    // Returns 0, -0.1, 0, 0.5, 0, 0.1 of half a year.
    double mean = 0.5 / 6;
    double variance = (0.1 * 0.1 + 0.5 * 0.5 + 0.1 * 0.1 - 6 * mean * mean) / 5;
    assertThat(second.numbers().sharpe())
        .isCloseTo(mean / Math.sqrt(variance) * Math.sqrt(12), within(1e-9));
    assertThat(result.buyAndHold().numbers().totalReturn())
        .isCloseTo(1.1 * 1.1 * 1.1 - 1, within(1e-12));
    assertThat(result.pathsAboveBuyAndHold()).isEqualTo(1);
    PurgedResult.Range returns = result.range(PathNumbers::totalReturn);
    assertThat(returns.lowest()).isEqualTo(returns.median()).isCloseTo(-0.04, within(1e-12));
    assertThat(result.groupRange(2).highest()).isCloseTo(0.1, within(1e-12));
    assertThat(result.groupTimes(2)).containsExactly(30, 31);
    assertThat(result.isGood()).isFalse();
    assertThat(result.verdict())
        .isEqualTo(
            "Purged cross-validation: the median path did not beat buy-and-hold: -4.00 % against"
                + " +33.10 %, and it lost money; doing nothing was better; 1 of 2 paths ended above"
                + " it, between -4.00 % and +48.50 %.");
  }

  /** Six bars of 1,000 in a year are two days. */
  @Test
  @Requirement("EVID-13")
  void shouldNotAnnualisePathsOfFewerThan90Days() {
    PurgedResult result =
        PurgedResult.of(
            List.of("X"),
            FOLDS,
            0.5,
            List.of(
                outcome(1, 7, pass(1, 120, 1000), pass(2, 80, 1000)),
                outcome(2, 7, pass(1, 90, 1000), pass(3, 100, 1000)),
                outcome(3, 7, pass(2, 150, 1000), pass(3, 110, 1000))));
    assertThat(result.range(PathNumbers::sharpe).highest()).isNaN();
    assertThat(result.range(PathNumbers::cvar).highest()).isNegative();
    // An agent's own account: its groups follow each other.
    assertThat(result.outcomes().get(0).totalReturn(BaselineComparison.AGENT, 2))
        .isCloseTo(1.2 * 0.8 - 1, within(1e-12));
  }

  /** Passes are ordered by symbol, then by group; the account is divided at the start. */
  @Test
  void shouldDivideTheAccountAmongSymbols() {
    List<FoldResult> outcomes = new ArrayList<>();
    for (long seed = 1; seed <= 2; seed++) {
      outcomes.add(outcome(1, seed, pass(1, 120), pass(2, 100), pass(1, 80), pass(2, 100)));
      outcomes.add(outcome(2, seed, pass(1, 100), pass(3, 150), pass(1, 100), pass(3, 100)));
      outcomes.add(outcome(3, seed, pass(2, 100), pass(3, 100), pass(2, 100), pass(3, 100)));
    }
    PurgedResult result = PurgedResult.of(List.of("X", "Y"), FOLDS, 0.05, outcomes);
    assertThat(result.seeds()).isEqualTo(2);
    assertThat(result.paths())
        .extracting(path -> path.seed() + " " + path.path())
        .containsExactly("1 1", "1 2", "2 1", "2 2");
    // Half of the money makes 1.2 · 1 · 1.5, the other half 0.8.
    assertThat(result.paths().get(2).numbers().totalReturn())
        .isCloseTo((1.8 + 0.8) / 2 - 1, within(1e-12));
    assertThat(result.paths().get(3).numbers().sharpe()).isNaN();
    assertThat(result.range(PathNumbers::sharpe).median()).isFinite();
  }

  /** The tear sheet of a path needs every baseline and the forecasts of its own agents. */
  @Test
  @Requirement("REP-2")
  void shouldChainBaselinesAndForecastsOfAPath() {
    List<FoldResult> outcomes = new ArrayList<>();
    outcomes.add(forecasting(1, pass(1, 120), pass(2, 80)));
    outcomes.add(forecasting(2, pass(1, 90), pass(3, 100)));
    outcomes.add(forecasting(3, pass(2, 150), pass(3, 110)));
    PurgedResult result = PurgedResult.of(List.of("X"), FOLDS, 0.5, outcomes);
    PathResult second = result.paths().get(1);
    BaselineComparison compared = result.compared(second).get(0);
    assertThat(compared.symbol()).isEqualTo("X");
    assertThat(compared.agent().performance().totalReturn())
        .isCloseTo(second.numbers().totalReturn(), within(1e-12));
    assertThat(compared.entry(BaselineComparison.BUY_AND_HOLD).performance().totalReturn())
        .isCloseTo(1.1 * 1.1 * 1.1 - 1, within(1e-12));
    // Folds 2, 3, 3: group 1 of fold 2, groups 2 and 3 of fold 3.
    assertThat(result.nextBars(second)).hasSize(1);
    assertThat(result.nextBars(second).get(0).var()).containsExactly(-21, -21, -32, -32, -33, -33);
    assertThat(result.nextBars(second).get(0).alpha()).isEqualTo(0.05);
    outcomes.set(0, outcome(1, 7, pass(1, 120), pass(2, 80)));
    PurgedResult without = PurgedResult.of(List.of("X"), FOLDS, 0.5, outcomes);
    assertThat(without.nextBars(without.paths().get(0))).as("fold 1 has none").isEmpty();
    assertThat(without.nextBars(without.paths().get(1))).hasSize(1);
  }

  /** Each VaR is the number of the fold and of the group, such as -21. */
  private static FoldResult forecasting(int fold, BaselineComparison... passes) {
    List<TailForecast> forecasts =
        FOLDS.get(fold - 1).tested().stream()
            .map(group -> -(10.0 * fold + group))
            .map(var -> new TailForecast(0.05, new double[] {var, var}, new double[] {var, var}))
            .toList();
    return new FoldResult(fold, 7, 10, List.of(passes), forecasts);
  }

  @Test
  void shouldRefuseMissingOutcomes() {
    assertThatThrownBy(
            () ->
                PurgedResult.of(
                    List.of("X"), FOLDS, 0.05, List.of(outcome(1, 7, pass(1, 1), pass(2, 1)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("3 folds and 1 seeds must have 3 outcomes, had 1");
  }

  private static FoldResult outcome(int fold, long seed, BaselineComparison... passes) {
    return new FoldResult(fold, seed, 10, List.of(passes), null);
  }

  /** Two bars: 100, then the end; buy-and-hold ends with 110. */
  private static BaselineComparison pass(int group, double end) {
    return pass(group, end, 12);
  }

  private static BaselineComparison pass(int group, double end, double barsPerYear) {
    return new BaselineComparison(
        List.of(
            entry(BaselineComparison.AGENT, group, end, barsPerYear),
            entry(BaselineComparison.BUY_AND_HOLD, group, 110, barsPerYear)));
  }

  private static BaselineComparison.Entry entry(
      String policy, int group, double end, double barsPerYear) {
    double[] equity = {100, end};
    double[] none = new double[2];
    long[] times = {10L * group, 10L * group + 1};
    Series series = new Series(times, equity, none, none, equity, none, none, none, none);
    LimitCounts counts = new LimitCounts(0, 0, 0, 0, 0, 0);
    BacktestResult result =
        new BacktestResult(
            "X, group " + group,
            policy,
            new BacktestResult.Start(0, 1, 100),
            barsPerYear,
            series,
            List.of(),
            counts,
            false);
    return new BaselineComparison.Entry(result, Performance.of(result, 1));
  }
}
