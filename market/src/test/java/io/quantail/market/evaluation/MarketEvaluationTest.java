package io.quantail.market.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketEnvironments;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ChainedAccount;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.data.DataException;
import io.quantail.market.split.SplitPart;
import io.quantail.market.stress.StressResult;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EpisodeEvaluation;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarketEvaluationTest {
  private static final RunConfig CONFIG =
      YamlConfig.parse(
          "market: {episode: {bars: 64}}",
          "run.yaml",
          List.of(
              "environment.name=Market-v0",
              "network.hidden=8",
              "environment.normalizeObservations=false"));
  private static final Market MARKET =
      Market.load(
          MarketProvider.settings(CONFIG),
          CONFIG.risk(),
          List.of(SampleBars.random(600, 8), SampleBars.random(700, 9)));

  private static ActingModel agent() {
    TradingEnvironment sample = MARKET.pass(0, SplitPart.TEST);
    return new AgentModel(CONFIG, sample.observationSpace(), sample.actionSpace()).agent();
  }

  @Test
  void shouldBeTheProtocolOfRunsOnAMarket() {
    EvaluationProtocol protocol =
        EvaluationProtocol.of(CONFIG, MarketEnvironments.training(MARKET), DataPart.VALIDATION);
    assertThat(protocol)
        .isEqualTo(new MarketEvaluation(CONFIG, MARKET, DataPart.VALIDATION, CONFIG.seed()));
    assertThat(protocol.environments())
        .isEqualTo(MarketEnvironments.passes(MARKET, SplitPart.VALIDATION));
    assertThat(protocol.scoreDescription())
        .isEqualTo(
            "log of final over first equity on the validation bars (the test bars are unseen)");
  }

  /** One pass per symbol is what the episodes of the same environments are. */
  @Test
  void shouldScoreAsTheEpisodesOfItsPassesDo() {
    MarketEvaluation evaluation = new MarketEvaluation(CONFIG, MARKET, DataPart.TEST, 1);
    ActingModel agent = agent();
    MarketEvaluationResult result = evaluation.evaluate(agent, ReturnScale.IDENTITY);
    EpisodeEvaluation episodes =
        EpisodeEvaluation.of(
            CONFIG, evaluation.environments(), new EvaluationConfig(2, true, 10_000), 1);
    assertThat(result.score())
        .isCloseTo(episodes.evaluate(agent, ReturnScale.IDENTITY).score(), within(1e-12));
    assertThat(result.numbers().meanReturn()).isEqualTo(result.score());
    assertThat(result.numbers().split()).isEqualTo("test");
    assertThat(result.provenance().forecasts()).hasSize(2);
    assertThat(result.numbers().calibration()).as("gamma 0.99 needs 299 bars").isNull();
    assertThat(result.fileSuffix()).isEmpty();
  }

  /** The test bars are for the result alone: calibration is measured on the validation bars. */
  @Test
  void shouldMeasureCalibrationOnTheValidationBars() {
    RunConfig config = with("rollout.gamma=0.8");
    ActingModel agent = agent();
    MarketCalibration afterTraining =
        new MarketEvaluation(config, MARKET, DataPart.TEST, 1)
            .evaluate(agent, ReturnScale.IDENTITY)
            .numbers()
            .calibration();
    MarketCalibration direct =
        new MarketEvaluation(config, MARKET, DataPart.VALIDATION, 1)
            .evaluate(agent, ReturnScale.IDENTITY)
            .numbers()
            .calibration();
    assertThat(afterTraining).isEqualTo(direct).isNotNull();
    int decisions = 0;
    for (int symbol = 0; symbol < 2; symbol++) {
      TradingEnvironment bars = MARKET.pass(symbol, SplitPart.VALIDATION);
      BacktestResult pass = Backtest.run(bars, "agent", new AgentTradingPolicy(agent));
      decisions += pass.series().size() - 13; // the horizon is 14 bars
    }
    assertThat(afterTraining.bars()).isEqualTo("validation");
    assertThat(afterTraining.measured().steps()).isEqualTo(decisions);
    assertThat(afterTraining.measured().independent())
        .isCloseTo(decisions * 0.2 / 1.8, within(1e-9));
    assertThat(afterTraining.text())
        .startsWith("on the validation bars: coverage 5 %: ")
        .endsWith(" independent, too few for a conclusion");
  }

  @Test
  void shouldNameTheBarsInVerdictAndFiles() {
    MarketEvaluationResult test =
        new MarketEvaluation(CONFIG, MARKET, DataPart.TEST, 1)
            .evaluate(agent(), ReturnScale.IDENTITY);
    assertThat(test.verdict().account().symbol()).isNull();
    assertThat(test.verdict().symbols()).hasSize(2);
    assertThat(test.limit()).as("the run has none").isNull();
    assertThat(test.stress()).isEmpty();
    MarketEvaluationResult given =
        new MarketEvaluationResult(DataPart.DATA, test.symbols(), test.evidence());
    assertThat(given.barsName()).isEqualTo("given");
    assertThat(given.fileSuffix()).isEqualTo("-data");
    assertThat(given.numbers().split()).isEqualTo("data");
    assertThat(given.provenance().seed()).isNull();
  }

  /** The limit is measured up to the judged part; later bars stay unseen. */
  @Test
  @Requirement("EVID-12")
  void shouldMeasureTheLimitOnEveryPartUpToTheJudgedOne() {
    RunConfig config = with("risk.limit=-0.02");
    MarketEvaluationResult test =
        new MarketEvaluation(config, MARKET, DataPart.TEST, 1)
            .evaluate(agent(), ReturnScale.IDENTITY);
    LimitResult limit = test.limit();
    assertThat(limit.parts())
        .extracting(LimitPart::part)
        .containsExactly("train", "validation", "test");
    assertThat(limit.part()).isEqualTo("test");
    assertThat(limit.mode()).isEqualTo("off");
    assertThat(limit.measured()).isEqualTo(limit.judged().estimate().measured());
    assertThat(limit.judged().symbols()).hasSize(2);
    LimitPart training = limit.parts().get(0);
    assertThat(training.bar()).as("the measure is that of bars").isNull();
    assertThat(training.worstWindow().bars()).isEqualTo(250);
    assertThat(training.worstWindow().multiple())
        .isCloseTo(training.worstWindow().cvar() / -0.02, within(1e-12));
    double[] returns = CombinedAccount.of(passes(test)).logReturns();
    assertThat(limit.measured())
        .isCloseTo(EmpiricalCvar.empirical(returns, 0.05, 0).cvar(), within(1e-15));
    assertThat(test.stress()).hasSize(2);
    assertThat(test.stress().get(0).scenarios())
        .extracting(StressResult.Scenario::name)
        .startsWith("-5 % at once", "-10 % at once", "-20 % at once", "October 1987")
        .endsWith("these bars, volatility doubled")
        .hasSize(7);
    LimitResult validation =
        new MarketEvaluation(config, MARKET, DataPart.VALIDATION, 1)
            .evaluate(agent(), ReturnScale.IDENTITY)
            .limit();
    assertThat(validation.parts())
        .extracting(LimitPart::part)
        .containsExactly("train", "validation");
    assertThat(validation.judged()).isEqualTo(limit.parts().get(1));
  }

  @Test
  @Requirement("EVID-12")
  void shouldPutTheVerdictOnSingleBarsBesideOtherMeasures() {
    LimitPart returns = judged("risk.measure=returns", "rollout.gamma=0.8"); // 14 bars
    LimitPart episodes = judged("risk.measure=episodes");
    LimitPart bars = judged();
    int count = bars.estimate().samples();
    assertThat(returns.estimate().unit()).isEqualTo("windows of 14 bars");
    assertThat(returns.estimate().samples()).isEqualTo(count / 14);
    assertThat(episodes.estimate().unit()).isEqualTo("windows of 64 bars");
    assertThat(episodes.estimate().samples()).isEqualTo(count / 64);
    assertThat(episodes.estimate().reason()).startsWith("there are only 1 windows of 64 bars");
    assertThat(returns.bar()).isEqualTo(bars.estimate());
    assertThat(episodes.bar()).isEqualTo(bars.estimate());
    assertThat(returns.worstYear()).isNotNull();
    assertThat(returns.worstYear().multiple()).as("the limit is not that of a bar").isNull();
  }

  private static LimitPart judged(String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("risk.limit=-0.02");
    Market single =
        Market.load(
            MarketProvider.settings(CONFIG), CONFIG.risk(), List.of(SampleBars.random(600, 8)));
    return new MarketEvaluation(with(all.toArray(String[]::new)), single, DataPart.TEST, 1)
        .evaluate(agent(), ReturnScale.IDENTITY)
        .limit()
        .judged();
  }

  /** Two symbols, groups 2 and 5 of 6: the verdict is that of one account through both groups. */
  @Test
  @Requirement("EVID-13")
  void shouldChainTheTestedGroupsOfAPurgedSplit() {
    RunConfig config =
        with(
            "risk.limit=-0.02",
            "market.features.names=[return(1), return(6), ewma-volatility]",
            "market.split.by=purged",
            "market.split.groups=6",
            "market.split.testedGroups=[2, 5]");
    Market market =
        Market.load(
            MarketProvider.settings(config),
            config.risk(),
            List.of(SampleBars.random(900, 8), SampleBars.random(900, 9)));
    TradingEnvironment sample = market.passes(SplitPart.TEST).get(0).environment();
    ActingModel agent =
        new AgentModel(config, sample.observationSpace(), sample.actionSpace()).agent();
    MarketEvaluationResult result =
        new MarketEvaluation(config, market, DataPart.TEST, 1)
            .evaluate(agent, ReturnScale.IDENTITY);

    List<BaselineComparison> groups = result.symbols();
    assertThat(groups)
        .extracting(BaselineComparison::symbol)
        .containsExactly("WALK8, group 2", "WALK8, group 5", "WALK9, group 2", "WALK9, group 5");
    List<BacktestResult> chained =
        List.of(
            ChainedAccount.of("WALK8", passes(result).subList(0, 2)),
            ChainedAccount.of("WALK9", passes(result).subList(2, 4)));
    CombinedAccount account = CombinedAccount.of(chained);
    assertThat(account.times()).hasSize(2 * 149);
    double growth = 0;
    for (int symbol = 0; symbol < 2; symbol++) {
      growth +=
          (1 + groups.get(2 * symbol).agent().performance().totalReturn())
              * (1 + groups.get(2 * symbol + 1).agent().performance().totalReturn())
              / 2;
    }
    AccountVerdict verdict = result.verdict().account();
    assertThat(verdict.totalReturn())
        .isEqualTo(account.totalReturn())
        .isEqualTo(result.totalReturn())
        .isCloseTo(growth - 1, within(1e-12));
    assertThat(verdict.bars()).isEqualTo(298);
    assertThat(verdict.skill()).isNotEqualTo(AccountVerdict.Skill.UNDEFINED);
    assertThat(verdict.notes()).isEmpty();
    assertThat(result.verdict())
        .isEqualTo(
            Verdict.of(
                List.of(
                    BaselineComparison.chained("WALK8", groups.subList(0, 2), 1),
                    BaselineComparison.chained("WALK9", groups.subList(2, 4), 1)),
                1));
    assertThat(result.verdict().symbols())
        .extracting(AccountVerdict::symbol)
        .containsExactly("WALK8", "WALK9");
    assertThat(result.provenance().trial().returns().agent()).isEqualTo(account.returns());
    assertThat(result.limit().judged().estimate().samples()).isEqualTo(298);
    assertThat(result.limit().judged().symbols()).containsOnlyKeys("WALK8", "WALK9");
    LimitPart training = result.limit().parts().get(0);
    assertThat(training.symbols()).containsOnlyKeys("WALK8", "WALK9");
    assertThat(training.estimate().samples()).isGreaterThan(400);
  }

  private static List<BacktestResult> passes(MarketEvaluationResult result) {
    return result.symbols().stream().map(symbol -> symbol.agent().result()).toList();
  }

  private static RunConfig with(String... settings) {
    return YamlConfig.parse(YamlConfig.toYaml(CONFIG), "run.yaml", List.of(settings));
  }

  @Test
  void shouldRefuseTooFewBarsBeforeTraining() {
    Market other = MARKET.onOtherBars(List.of(SampleBars.random(600, 8)));
    assertThatThrownBy(() -> new MarketEvaluation(CONFIG, other, DataPart.VALIDATION, 1))
        .isInstanceOf(DataException.class);
  }
}
