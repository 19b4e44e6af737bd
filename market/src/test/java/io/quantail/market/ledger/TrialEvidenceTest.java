package io.quantail.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.evidence.BacktestOverfitting;
import io.quantail.evidence.EffectiveTrials;
import io.quantail.evidence.SharpeStatistics;
import io.quantail.random.RandomStream;
import io.quantail.run.RunLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a Sharpe ratio proves among the trials of a ledger. */
class TrialEvidenceTest {
  private static final int BARS = 200;
  private static final double[] MARKET = noise(0, BARS);

  @TempDir private Path directory;
  private final List<String> warnings = new ArrayList<>();

  private TrialRecorder recorder() {
    return new TrialRecorder(
        new Ledger(directory.resolve("ledger"), warnings::add),
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }

  private static double[] noise(int index, int bars) {
    RandomStream random = RandomStream.of(5, "trial-evidence-test", index);
    double[] values = new double[bars];
    Arrays.setAll(values, t -> 0.0005 + 0.01 * random.nextGaussian());
    return values;
  }

  private static Trial trial(long seed, double[] returns, double[] market) {
    long[] times = new long[returns.length];
    Arrays.setAll(times, t -> 3_600_000L * (t + 1));
    LedgerEntry entry = LedgerWriter.entry("settings", seed, "day");
    ReturnSeries series = new ReturnSeries(times, returns, market);
    return new Trial(
        new LedgerEntry(
            entry.kind(),
            entry.settings(),
            seed,
            null,
            Trial.sharpe(returns),
            returns.length,
            entry.from(),
            entry.to(),
            null,
            entry.days(),
            null),
        series);
  }

  private TrialEvidence record(long seed, double[] returns) throws IOException {
    Path run = run(seed);
    EvidenceFile.write(run, "", trial(seed, returns, Arrays.copyOf(MARKET, returns.length)), null);
    return recorder().record(run, "").orElseThrow();
  }

  private Path run(long seed) throws IOException {
    return Files.createDirectories(directory.resolve("run-" + seed));
  }

  /** One trial is not deflated: both numbers are those of the ratio alone. */
  @Test
  void shouldTakeASingleTrialAsItIs() throws IOException {
    TrialEvidence evidence = record(1, noise(1, BARS));
    SharpeStatistics alone = SharpeStatistics.of(noise(1, BARS));
    assertThat(evidence.trials()).isEqualTo(1);
    assertThat(evidence.effectiveTrials()).isEqualTo(1);
    assertThat(evidence.deflatedSharpe()).isEqualTo(alone.probabilistic(0));
    assertThat(evidence.pMax()).isCloseTo(1 - alone.probabilistic(0), within(1e-12));
    assertThat(evidence.minimumTrackRecord())
        .isEqualTo(alone.minimumTrackRecord(0.95, 0).getAsDouble());
    assertThat(evidence.count()).isEqualTo("evaluated at least 1 time on these bars");
    assertThat(EvidenceFile.read(run(1), "").orElseThrow().ledger()).isEqualTo(evidence);
  }

  @Test
  void shouldDeflateByTheTrialsOnTheSameBars() throws IOException {
    double[][] returns = {noise(1, BARS), noise(2, BARS), noise(3, BARS)};
    record(1, returns[0]);
    record(2, returns[1]);
    TrialEvidence evidence = record(3, returns[2]);
    SharpeStatistics last = SharpeStatistics.of(returns[2]);
    double[] ratios =
        Arrays.stream(returns).mapToDouble(r -> SharpeStatistics.of(r).sharpe()).toArray();
    double effective =
        EffectiveTrials.of(new double[][] {returns[2], returns[0], returns[1]}, MARKET).effective();
    assertThat(evidence.trials()).isEqualTo(3);
    assertThat(evidence.effectiveTrials()).isCloseTo(effective, within(1e-12));
    assertThat(evidence.deflatedSharpe())
        .isCloseTo(last.deflated(effective, SharpeStatistics.varianceOf(ratios)), within(1e-12));
    assertThat(evidence.pMax()).isCloseTo(1 - Math.pow(last.probabilistic(0), 3), within(1e-12));
    assertThat(record(3, returns[2])).as("repeated").isEqualTo(evidence);
    assertThat(Files.readAllLines(directory.resolve("ledger").resolve(RunLayout.LEDGER)))
        .hasSize(3);
  }

  /** A deleted run stays counted; its resemblance to others is not known. */
  @Test
  void shouldUseThePlainCountIfASeriesIsMissingOrWasReplaced() throws IOException {
    record(1, noise(1, BARS));
    record(2, noise(2, BARS));
    Path series = run(1).resolve(RunLayout.returns(""));
    trial(1, noise(7, BARS), MARKET).returns().write(series);
    TrialEvidence replaced = record(3, noise(3, BARS));
    Files.delete(series);
    TrialEvidence missing = record(3, noise(3, BARS));
    assertThat(missing).isEqualTo(replaced);
    assertThat(missing.trials()).isEqualTo(3);
    assertThat(missing.effectiveTrials()).isNull();
    double[] ratios = new double[3];
    Arrays.setAll(ratios, i -> SharpeStatistics.of(noise(i + 1, BARS)).sharpe());
    assertThat(missing.deflatedSharpe())
        .isCloseTo(
            SharpeStatistics.of(noise(3, BARS)).deflated(3, SharpeStatistics.varianceOf(ratios)),
            within(1e-12));
  }

  @Test
  void shouldExplainWhatIsNotDefined() throws IOException {
    TrialEvidence few = record(1, noise(1, 29));
    assertThat(few.undefined()).isEqualTo("29 returns are too few");
    assertThat(few.trials()).isEqualTo(1);
    TrialEvidence flat = record(2, new double[BARS]);
    assertThat(flat.undefined()).isEqualTo("the returns do not vary");
    assertThat(flat.sharpe()).isNull();
    assertThat(flat.deflatedSharpe()).isNull();
    assertThat(flat.pMax()).isNull();
    double[] losses = Arrays.stream(noise(3, BARS)).map(r -> r - 0.01).toArray();
    assertThat(record(3, losses).minimumTrackRecord()).as("never").isNull();
    assertThat(record(3, losses).deflatedSharpe()).isNotNull();
  }

  @Test
  void shouldKeepTheNumbersThatNeedNoLedger() throws IOException {
    Files.writeString(directory.resolve("ledger"), "no directory");
    TrialEvidence evidence = record(1, noise(1, BARS));
    assertThat(evidence.trials()).isNull();
    assertThat(evidence.deflatedSharpe()).isNull();
    assertThat(evidence.pMax()).isNull();
    assertThat(evidence.probabilisticSharpe()).isNotNull();
    assertThat(evidence.count()).isEqualTo("the number of evaluations on these bars is not known");
    assertThat(warnings).hasSize(1);
  }

  /** More than ten trials with fat tails: the p-value is a lower bound. */
  @Test
  void shouldNameALowerBoundWhereTailsAreFat() throws IOException {
    double[] fat = noise(1, BARS);
    fat[10] = 0.2;
    assertThat(record(0, fat).pMaxIsLowerBound()).as("one trial").isFalse();
    for (int seed = 1; seed <= 10; seed++) {
      record(seed, noise(seed, BARS));
    }
    assertThat(record(11, noise(1, BARS)).pMaxIsLowerBound()).as("normal").isFalse();
    assertThat(record(12, fat).pMaxIsLowerBound()).isTrue();
  }

  @Test
  void shouldCompareTheTrialsOfAStudy() throws IOException {
    List<StudyTrial> trials = new ArrayList<>();
    double[][] rows = new double[BARS][3];
    for (int i = 0; i < 3; i++) {
      double[] returns = noise(i + 1, BARS);
      int column = i;
      Arrays.setAll(
          rows,
          t -> {
            rows[t][column] = returns[t];
            return rows[t];
          });
      trials.add(new StudyTrial("agent " + i, trial(i, returns, MARKET)));
    }
    trials.add(new StudyTrial("shorter", trial(9, noise(9, 50), Arrays.copyOf(MARKET, 50))));
    StudyEvidence evidence = recorder().study(trials, null).orElseThrow();
    assertThat(evidence.agents()).isEqualTo(3);
    assertThat(evidence.others()).isEqualTo(1);
    assertThat(evidence.overfitting().blocks()).isEqualTo(10);
    assertThat(evidence.overfitting().numbers()).isEqualTo(BacktestOverfitting.of(rows, 10));
    assertThat(evidence.ledger().trials()).as("also without a ledger").isEqualTo(3);
    assertThat(evidence.ledger().effectiveTrials()).isNotNull();
    assertThat(recorder().study(trials, 12).orElseThrow().overfitting().numbers().droppedRows())
        .as("200 bars do not make 12 equal blocks")
        .isEqualTo(8);
    assertThat(recorder().study(trials.subList(0, 1), null).orElseThrow().overfitting())
        .as("one trial")
        .isNull();
    assertThat(recorder().study(List.of(), null)).isEmpty();
  }

  @Test
  void shouldDivideBarsIntoBlocksThatFit() {
    assertThat(StudyEvidence.blocks(10)).isEqualTo(2);
    assertThat(StudyEvidence.blocks(119)).isEqualTo(4);
    assertThat(StudyEvidence.blocks(120)).isEqualTo(6);
    assertThat(StudyEvidence.blocks(100_000)).isEqualTo(16);
  }
}
