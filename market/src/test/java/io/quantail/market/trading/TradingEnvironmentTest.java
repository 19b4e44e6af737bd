package io.quantail.market.trading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.Action;
import io.quantail.env.Step;
import io.quantail.env.check.CheckReport;
import io.quantail.env.check.EnvironmentChecker;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.feature.FeatureTable;
import io.quantail.market.feature.VolatilityEstimators;
import io.quantail.market.limits.TradingLimits;
import io.quantail.market.split.BarRange;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TradingEnvironmentTest {
  private static final Bars BARS = SampleBars.random(600, 4);
  private static final Instrument INSTRUMENT = instrument(BARS);
  private static final BarRange ALL = new BarRange(0, BARS.size());
  private static final TargetWeightMap LONG_SHORT = new TargetWeightMap.Continuous(false, 1);
  private static final TargetWeightMap LONG = new TargetWeightMap.Continuous(true, 1);

  private static Instrument instrument(Bars bars) {
    FeatureTable table = FeatureTable.of(bars, FeatureSpec.standard());
    FeatureScaler scaler = FeatureScaler.fit(List.of(table), List.of(new BarRange(0, bars.size())));
    return Instrument.of(bars, scaler.apply(table), 42);
  }

  private static TradingRules rules(TargetWeightMap actions, EpisodeSettings episode) {
    return new TradingRules(
        actions, ExecutionSettings.defaults(), TradingLimits.defaults(), episode);
  }

  @Requirement("EPI-1")
  @Test
  void shouldKeepTheContractOfEnvironments() {
    CheckReport report =
        EnvironmentChecker.check(
            index ->
                TradingEnvironment.training(
                    INSTRUMENT, rules(LONG_SHORT, new EpisodeSettings(64, 0.1, 0.3)), ALL));
    assertThat(report.findings()).isEmpty();
  }

  @Requirement("EPI-1")
  @Test
  void shouldStartAnywhereAndCutAfterAFixedNumberOfBars() {
    TradingEnvironment environment =
        TradingEnvironment.training(
            INSTRUMENT, rules(LONG, new EpisodeSettings(32, 0.1, 1)), new BarRange(10, 200));
    Set<Integer> starts = new HashSet<>();
    for (int episode = 0; episode < 2000; episode++) {
      environment.reset(RandomStream.of(1, "environment/0", episode));
      starts.add(environment.bar());
      if (episode < 20) {
        Step step;
        int steps = 0;
        do {
          step = environment.step(Action.of(environment.actionSpace(), 0));
          steps++;
        } while (!step.done());
        assertThat(steps).isEqualTo(32);
        assertThat(step.isTruncated()).isTrue();
        assertThat(step.isTerminated()).isFalse();
        assertThat(environment.bar()).isBetween(50 + 32, 199);
        assertThatThrownBy(() -> environment.step(Action.of(environment.actionSpace(), 0)))
            .isInstanceOf(IllegalStateException.class);
      }
    }
    // From the end of the warm-up to the last start that leaves room for 32 fills.
    assertThat(starts).hasSize(199 - 32 - 50 + 1).contains(50, 167);
  }

  @Requirement("EPI-1")
  @Test
  void shouldEndInRuinAndBeyondTheDrawdown() {
    double[] closes = new double[200];
    Arrays.setAll(closes, t -> t < 100 ? 100 + t % 2 : 100 * Math.pow(0.9, t - 99));
    TradingRules ruin = rules(LONG, new EpisodeSettings(64, 0.5, 1));
    assertThat(lengthOfFall(closes, ruin)).isEqualTo(7);
    TradingRules drawdown = rules(LONG, new EpisodeSettings(64, 0, 0.25));
    assertThat(lengthOfFall(closes, drawdown)).isEqualTo(3);
  }

  private static int lengthOfFall(double[] closes, TradingRules rules) {
    Instrument falling = instrument(SampleBars.ofCloses(closes));
    BacktestResult result =
        Backtest.run(
            TradingEnvironment.pass(falling, rules, new BarRange(98, 200)),
            "hold",
            BaselinePolicies.buyAndHold(LONG));
    assertThat(result.ruined()).isTrue();
    return result.series().size() - 1;
  }

  @Requirement("EPI-2")
  @Test
  void shouldEarnExactlyNothingWhenFlat() {
    BacktestResult result = run("flat", new TargetWeightMap.Levels(0, 1));
    assertThat(result.series().equity()).containsOnly(10_000);
    assertThat(result.trades()).isEmpty();
  }

  private static BacktestResult run(String policy, TargetWeightMap actions) {
    TradingEnvironment environment =
        TradingEnvironment.pass(INSTRUMENT, rules(actions, EpisodeSettings.defaults()), ALL);
    return Backtest.run(
        environment,
        policy,
        policy.equals("flat") ? BaselinePolicies.flat() : BaselinePolicies.buyAndHold(actions));
  }

  @Requirement("EPI-2")
  @Test
  void shouldEqualBuyAndHoldMinusTheEntryCost() {
    BacktestResult result = run("hold", LONG);
    assertThat(result.trades()).hasSize(1);
    ExecutionSettings costs = ExecutionSettings.defaults();
    double open = BARS.open(51);
    double volume = 0;
    for (int t = 9; t <= 50; t++) {
      volume += BARS.quoteVolume(t) / 42;
    }
    double slip = (costs.halfSpreadBps() + costs.impactBps() * Math.sqrt(10_000 / volume)) * 1e-4;
    double units = 10_000 / (open * (1 + slip) * 1.001);
    assertThat(result.series().equity()[548]).isCloseTo(units * BARS.close(599), within(1e-6));
    assertThat(result.series().size()).isEqualTo(549);
  }

  @Requirement({"EPI-2", "EXEC-2"})
  @Test
  void shouldRewardTheLogOfNetEquityAndExplainIt() {
    TradingEnvironment environment =
        TradingEnvironment.pass(INSTRUMENT, rules(LONG_SHORT, EpisodeSettings.defaults()), ALL);
    environment.reset(RandomStream.of(1, "x", 0));
    RandomStream random = RandomStream.of(2, "actions", 0);
    double sum = 0;
    double costs = 0;
    Step step;
    do {
      step =
          environment.step(Action.of(environment.actionSpace(), (float) random.nextDouble(-1, 1)));
      sum += step.reward();
      double gross = step.info().get("grossReturn");
      double paid = step.info().get(Step.REWARD_COSTS);
      costs += paid;
      assertThat(Math.exp(step.reward()) - 1).isCloseTo(gross - paid, within(1e-12));
      assertThat(paid)
          .isCloseTo(
              step.info().get("feeFraction")
                  + step.info().get("slippageFraction")
                  + step.info().get("borrowFraction"),
              within(1e-15));
    } while (!step.done());
    assertThat(costs).isPositive();
    assertThat(sum).isCloseTo(Math.log(environment.account().equity() / 10_000), within(1e-9));
  }

  @Requirement("EPI-1")
  @Test
  void shouldNotDependOnTheOtherEnvironments() {
    TradingRules rules = rules(LONG_SHORT, new EpisodeSettings(40, 0.1, 1));
    try (VectorEnvironment three =
            new VectorEnvironment(i -> TradingEnvironment.training(INSTRUMENT, rules, ALL), 3, 5);
        VectorEnvironment two =
            new VectorEnvironment(i -> TradingEnvironment.training(INSTRUMENT, rules, ALL), 2, 5)) {
      three.reset();
      two.reset();
      for (int i = 0; i < 100; i++) {
        float action = (float) Math.sin(i);
        three.step(0, 3, new float[] {action, -action, 0.3f});
        two.step(0, 2, new float[] {action, -action});
        assertThat(three.rewards()[0]).isEqualTo(two.rewards()[0]);
        assertThat(three.rewards()[1]).isEqualTo(two.rewards()[1]);
      }
    }
  }

  @Requirement("EPI-1")
  @Test
  void shouldContinueFromASnapshotBitForBit() {
    TradingRules rules =
        new TradingRules(
            LONG_SHORT,
            ExecutionSettings.defaults(),
            new TradingLimits(0.8, 0.5, 0.02, 3, 2.0, "", true),
            new EpisodeSettings(200, 0.1, 1));
    TradingEnvironment first = TradingEnvironment.training(INSTRUMENT, rules, ALL);
    first.reset(RandomStream.of(3, "e", 0));
    for (int i = 0; i < 50; i++) {
      first.step(Action.of(first.actionSpace(), (float) Math.sin(i)));
    }
    TradingEnvironment second = TradingEnvironment.training(INSTRUMENT, rules, ALL);
    second.restore(first.snapshot(), RandomStream.of(3, "e", 0));
    for (int i = 50; i < 200; i++) {
      Step a = first.step(Action.of(first.actionSpace(), (float) Math.sin(i)));
      Step b = second.step(Action.of(second.actionSpace(), (float) Math.sin(i)));
      assertThat(b.reward()).isEqualTo(a.reward());
      assertThat(b.observation()).containsExactly(a.observation());
      assertThat(b.done()).isEqualTo(a.done());
    }
    assertThat(second.riskCounts()).isEqualTo(first.riskCounts());
    assertThatThrownBy(() -> second.restore(new double[3], null)).hasMessageContaining("snapshot");
  }

  @Requirement("RISK-1")
  @Test
  void shouldStayFlatWhileTheKillFileExists(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("stop");
    TradingRules rules =
        new TradingRules(
            LONG,
            ExecutionSettings.defaults(),
            new TradingLimits(1, 1, 1, 1, null, file.toString(), false),
            EpisodeSettings.defaults());
    TradingEnvironment environment = TradingEnvironment.pass(INSTRUMENT, rules, ALL);
    environment.reset(RandomStream.of(1, "x", 0));
    environment.step(Action.of(environment.actionSpace(), 1));
    assertThat(environment.target()).isEqualTo(1);
    Files.createFile(file);
    environment.step(Action.of(environment.actionSpace(), 1));
    assertThat(environment.target()).isZero();
    assertThat(environment.account().units()).isZero();
    assertThat(environment.riskCounts().killFile()).isEqualTo(1);
  }

  @Requirement({"EVID-1", "EVID-10"})
  @Test
  void shouldScaleActionsByTheVolatilityAtTheClose() {
    TargetWeightMap levels = new TargetWeightMap.Levels(-1, 0, 0.5, 1);
    double budget = 0.009;
    for (TargetWeightMap actions : List.of(LONG_SHORT, LONG, levels)) {
      TradingRules rules =
          new TradingRules(
              actions,
              new RiskUnits(budget),
              ExecutionSettings.defaults(),
              TradingLimits.defaults(),
              EpisodeSettings.defaults());
      TradingEnvironment environment = TradingEnvironment.pass(INSTRUMENT, rules, ALL);
      environment.reset(RandomStream.of(1, "x", 0));
      RandomStream random = RandomStream.of(2, "actions", 0);
      int scaled = 0;
      int orders = 0;
      boolean done = false;
      while (!done) {
        float[] action = actions.action(random.nextDouble(-1, 1));
        double volatility =
            VolatilityEstimators.ewma(BARS.slice(0, environment.bar() + 1))[environment.bar()];
        double expected = actions.weight(action) * Math.min(1, budget / volatility);
        scaled += volatility > budget ? 1 : 0;
        double held = environment.account().exposure(environment.bar());
        assertThat(environment.weight(action)).isEqualTo(expected);
        done = environment.step(Action.of(environment.actionSpace(), action)).done();
        assertThat(environment.target()).isEqualTo(expected);
        // the threshold of orders acts on the scaled weight
        boolean small = Math.abs(expected - held) < ExecutionSettings.defaults().minRebalance();
        assertThat(environment.account().order() == 0).isEqualTo(small);
        orders += small ? 0 : 1;
      }
      assertThat(scaled).isBetween(100, 548);
      assertThat(orders).isBetween(100, 548);
    }
  }

  @Requirement("EVID-1")
  @Test
  void shouldDecideInRiskUnitsFromTheFirstVolatilityOn() {
    Instrument early = SampleBars.instrument(BARS);
    TradingRules plain = rules(LONG, EpisodeSettings.defaults());
    assertThat(TradingEnvironment.pass(early, plain, ALL).range().from()).isEqualTo(1);
    TradingRules scaled =
        new TradingRules(
            LONG, new RiskUnits(0.01), plain.execution(), plain.risk(), plain.episode());
    assertThat(TradingEnvironment.pass(early, scaled, ALL).range().from()).isEqualTo(5);
  }

  @Requirement("EPI-1")
  @Test
  void shouldRefuseARangeTooShortForAnEpisode() {
    assertThatThrownBy(
            () ->
                TradingEnvironment.training(
                    INSTRUMENT, rules(LONG, EpisodeSettings.defaults()), new BarRange(0, 300)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("has 250 bars to trade in")
        .hasMessageContaining("needs 513");
  }
}
