package io.quantail.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.market.Market;
import io.quantail.market.MarketProvider;
import io.quantail.market.SampleBars;
import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.evaluation.MarketEvaluation;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.RunLayout;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import io.quantail.value.ReturnScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evaluations of an agent as trials of a ledger. */
@Requirement("EVID-11")
class TrialRecorderTest {
  private static final Bars BARS = SampleBars.random(700, 9);

  @TempDir private Path directory;

  private static RunConfig config(String... overrides) {
    List<String> all = new ArrayList<>();
    all.addAll(
        List.of(
            "environment.name=Market-v0",
            "network.hidden=8",
            "environment.normalizeObservations=false"));
    all.addAll(List.of(overrides));
    return YamlConfig.parse("market: {episode: {bars: 64}}", "run.yaml", all);
  }

  private static Bars bars(String symbol, int size, double factor) {
    BarsBuilder builder = new BarsBuilder(symbol, BARS.barMillis());
    for (int t = 0; t < size; t++) {
      builder.add(
          BARS.time(t),
          factor * BARS.open(t),
          factor * BARS.high(t),
          factor * BARS.low(t),
          factor * BARS.close(t),
          BARS.volume(t));
    }
    return builder.build();
  }

  private TrialEvidence evaluate(RunConfig config, DataPart part, Bars bars) throws IOException {
    Market trained =
        Market.load(
            MarketProvider.settings(config), config.risk(), List.of(bars("SAMPLE", 700, 1)));
    TradingEnvironment sample = trained.pass(0, SplitPart.TEST);
    ActingModel agent =
        new AgentModel(config, sample.observationSpace(), sample.actionSpace()).agent();
    Market market = part == DataPart.DATA ? trained.onOtherBars(List.of(bars)) : trained;
    Path run = Files.createTempDirectory(directory, "run");
    new MarketEvaluation(config, market, part, 1).evaluate(agent, ReturnScale.IDENTITY).write(run);
    String suffix = part == DataPart.DATA ? "-data" : "-" + part.name().toLowerCase(Locale.ROOT);
    return recorder().record(run, part == DataPart.TEST ? "" : suffix).orElse(null);
  }

  private TrialRecorder recorder() {
    return new TrialRecorder(
        new Ledger(
            directory,
            warning -> {
              throw new AssertionError(warning);
            }),
        Clock.systemUTC());
  }

  private int lines() throws IOException {
    return Files.readAllLines(directory.resolve(RunLayout.LEDGER)).size();
  }

  @Test
  void shouldCountTheSameBarsUnderAnyNameScaleAndLength() throws IOException {
    RunConfig config = config();
    assertThat(evaluate(config, DataPart.DATA, bars("A", 690, 1)).trials()).isEqualTo(1);
    assertThat(evaluate(config, DataPart.DATA, bars("OTHER", 690, 1)).trials()).isEqualTo(1);
    assertThat(lines()).as("another name").isEqualTo(1);
    assertThat(evaluate(config, DataPart.DATA, bars("A", 690, 2)).trials()).isEqualTo(1);
    assertThat(lines()).as("doubled prices").isEqualTo(1);
    assertThat(evaluate(config, DataPart.DATA, bars("A", 691, 1)).trials()).isEqualTo(1);
    assertThat(lines()).as("one more bar").isEqualTo(2);

    RunConfig other = config("seed=2");
    assertThat(evaluate(other, DataPart.DATA, bars("A", 690, 1)).trials()).isEqualTo(2);
    assertThat(evaluate(other, DataPart.DATA, bars("B", 691, 4)).trials()).isEqualTo(2);
    assertThat(evaluate(config, DataPart.DATA, bars("B", 695, 1)).trials()).isEqualTo(2);
    Bars shorter = bars("A", 700, 1).slice(500, 700);
    assertThat(evaluate(config("ppo.epochs=3"), DataPart.DATA, shorter).trials()).isEqualTo(3);
  }

  @Test
  void shouldIdentifySettingsWithoutSeedDataAndEpisodes() {
    String hash = LedgerEntry.settingsHash(config());
    assertThat(LedgerEntry.settingsHash(config("seed=7"))).isEqualTo(hash);
    assertThat(LedgerEntry.settingsHash(config("market.data.symbols=[X]"))).isEqualTo(hash);
    assertThat(LedgerEntry.settingsHash(config("evaluation.episodes=3"))).isEqualTo(hash);
    assertThat(LedgerEntry.settingsHash(config("training.threads=2"))).isEqualTo(hash);
    assertThat(LedgerEntry.settingsHash(config("rollout.gamma=0.9"))).isNotEqualTo(hash);
    assertThat(LedgerEntry.settingsHash(config("market.split.train=0.6"))).isNotEqualTo(hash);
  }

  @Test
  void shouldRecordEveryPartThatTheAgentDidNotLearnFrom() throws IOException {
    assertThat(evaluate(config(), DataPart.TRAIN, BARS)).isNull();
    assertThat(directory.resolve(RunLayout.LEDGER)).doesNotExist();
    assertThat(evaluate(config(), DataPart.VALIDATION, BARS).trials()).isEqualTo(1);
    assertThat(evaluate(config(), DataPart.TEST, BARS).trials()).isEqualTo(1);
    assertThat(lines()).as("two trials and one selection").isEqualTo(3);
  }

  /** Validation while training is one entry of the agent, on the validation bars, and no trial. */
  @Test
  void shouldRecordOneSelectionOfAnAgentThatWasValidated() throws IOException {
    RunConfig unseen = config("training.validationUpdates=0");
    evaluate(unseen, DataPart.TEST, BARS);
    assertThat(kinds()).containsExactly(LedgerEntry.Kind.TEST);
    evaluate(config(), DataPart.TEST, BARS);
    evaluate(config(), DataPart.TEST, BARS);
    evaluate(config(), DataPart.DATA, bars("A", 690, 1));
    assertThat(kinds())
        .containsExactly(
            LedgerEntry.Kind.TEST,
            LedgerEntry.Kind.TEST,
            LedgerEntry.Kind.SELECTION,
            LedgerEntry.Kind.TEST);
    LedgerEntry selection = entries().get(2);
    assertThat(selection.settings()).isEqualTo(entries().get(1).settings());
    assertThat(selection.days()).doesNotContainAnyElementsOf(entries().get(1).days());
    assertThat(evaluate(config(), DataPart.VALIDATION, BARS).trials()).isEqualTo(1);
    assertThat(entries().get(4).days()).as("the validation bars").isEqualTo(selection.days());
    assertThat(lines()).isEqualTo(5);
  }

  /** A population needs nothing else of an evaluation. */
  @Test
  void shouldMakeTheTrialOfAWholeEvaluationWithTwoPasses() {
    RunConfig config = config("risk.mode=policy", "risk.limit=-0.01");
    Market market = Market.load(MarketProvider.settings(config), config.risk(), List.of(BARS));
    TradingEnvironment sample = market.pass(0, SplitPart.TEST);
    ActingModel agent =
        new AgentModel(config, sample.observationSpace(), sample.actionSpace()).agent();
    MarketEvaluation evaluation = new MarketEvaluation(config, market, DataPart.VALIDATION, 1);
    Trial whole = evaluation.evaluate(agent, ReturnScale.IDENTITY).provenance().trial();
    Trial alone = evaluation.trial(agent);
    assertThat(alone.entry()).isEqualTo(whole.entry());
    assertThat(alone.returns()).usingRecursiveComparison().isEqualTo(whole.returns());
  }

  private List<LedgerEntry> entries() {
    return new Ledger(directory, warning -> {}).read().orElseThrow();
  }

  private List<LedgerEntry.Kind> kinds() {
    return entries().stream().map(LedgerEntry::kind).toList();
  }

  /** Folds of a walk-forward are one trial per seed, also if one of them is evaluated again. */
  @Test
  void shouldCountTheAgentsOfAStudyAsOneTrialPerSeed() throws IOException {
    List<Path> runs = new ArrayList<>();
    for (int part = 0; part < 2; part++) {
      for (long seed = 1; seed <= 2; seed++) {
        Path run = Files.createDirectories(directory.resolve("fold-" + part + "-seed-" + seed));
        double[] returns = new double[40];
        long[] times = new long[40];
        for (int t = 0; t < 40; t++) {
          returns[t] = Math.sin(seed * t + part);
          times[t] = 1000L * (40 * part + t + 1);
        }
        LedgerEntry entry = LedgerWriter.entry("fold " + part, seed, "day " + part);
        ReturnSeries series = new ReturnSeries(times, returns, returns);
        EvidenceFile.write(
            run,
            "",
            new Trial(
                new LedgerEntry(
                    entry.kind(),
                    entry.settings(),
                    seed,
                    null,
                    Trial.sharpe(returns),
                    40,
                    entry.from(),
                    entry.to(),
                    null,
                    entry.days(),
                    null),
                series),
            null);
        runs.add(run);
      }
    }
    RunConfig study = config();
    recorder().recordAll(runs, "", study);
    recorder().recordAll(runs, "", study);
    assertThat(lines()).isEqualTo(4);
    List<StudyTrial> chained =
        List.of(
            StudyTrial.read("seed 1", List.of(runs.get(0), runs.get(2)), "").orElseThrow(),
            StudyTrial.read("seed 2", List.of(runs.get(1), runs.get(3)), "").orElseThrow());
    StudyEvidence evidence = recorder().studyIn(directory, chained).orElseThrow();
    assertThat(evidence.bars()).isEqualTo(80);
    assertThat(evidence.ledger().trials()).isEqualTo(2);
    assertThat(directory.resolve(RunLayout.evidence(""))).isRegularFile();

    Trial again = EvidenceFile.trial(runs.get(0), "").orElseThrow();
    EvidenceFile.write(
        runs.get(0), "", new Trial(again.entry().withSettings("fold 0"), again.returns()), null);
    assertThat(recorder().record(runs.get(0), "").orElseThrow().trials()).isEqualTo(2);
    assertThat(lines()).isEqualTo(4);
    assertThat(StudyTrial.read("gone", List.of(directory), "")).isEmpty();
  }
}
