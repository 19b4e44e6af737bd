package io.quantail.market.ledger;

import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.run.RunLayout;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records evaluations in the ledger and computes what they prove. Only the process that was started
 * by the user has one: tasks of a study, also those on a cluster, leave an {@link EvidenceFile}.
 */
public final class TrialRecorder {
  private final Ledger ledger;
  private final Clock clock;

  public TrialRecorder(Ledger ledger, Clock clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * Records the evaluation of a run and adds the numbers of the ledger to its {@code
   * evidence.json}.
   *
   * @param suffix of the files of the evaluation; empty for test bars
   * @return the evidence; empty if the run was not evaluated on bars that count
   */
  public Optional<TrialEvidence> record(Path run, String suffix) {
    EvidenceFile file = EvidenceFile.read(run, suffix).orElse(null);
    Trial trial = EvidenceFile.trial(run, suffix).orElse(null);
    if (file == null || trial == null) {
      return Optional.empty();
    }
    Optional<List<LedgerEntry>> known = ledger.add(entries(file, run));
    TrialEvidence evidence = evidence(trial, known, List.of());
    file.withLedger(evidence).write(run, suffix);
    return Optional.of(evidence);
  }

  /**
   * Records all agents of a study.
   *
   * @param runs of the agents
   * @param suffix of the files of their evaluation; empty for test bars
   * @param study settings of the study, if its agents of a seed count as one trial; else null
   */
  public void recordAll(Collection<Path> runs, String suffix, @Nullable RunConfig study) {
    List<LedgerEntry> entries = new ArrayList<>();
    for (Path run : runs) {
      if (study != null) {
        String settings = LedgerEntry.settingsHash(study);
        EvidenceFile.read(run, suffix)
            .ifPresent(file -> file.withStudy(settings).write(run, suffix));
      }
      EvidenceFile.read(run, suffix).ifPresent(file -> entries.addAll(entries(file, run)));
    }
    ledger.add(entries);
  }

  private List<LedgerEntry> entries(EvidenceFile file, Path run) {
    return file.entries().stream().map(entry -> recorded(entry, run)).toList();
  }

  /**
   * What the evaluation of a run proves by now; nothing is recorded.
   *
   * @param suffix of the files of the evaluation; empty for test bars
   * @return the evidence; empty if the run was not evaluated on bars that count
   */
  public Optional<TrialEvidence> evidence(Path run, String suffix) {
    return EvidenceFile.trial(run, suffix).map(trial -> evidence(trial, ledger.read(), List.of()));
  }

  /**
   * The number of agents that were evaluated on at least one of the days of some runs.
   *
   * @param suffix of the files of their evaluation; empty for test bars
   * @return the number; null if the ledger cannot be used, or no run was evaluated
   */
  public @Nullable Integer count(Collection<Path> runs, String suffix) {
    List<LedgerEntry> all =
        runs.stream()
            .flatMap(run -> EvidenceFile.trial(run, suffix).stream())
            .map(Trial::entry)
            .toList();
    Optional<List<LedgerEntry>> known = ledger.read();
    if (all.isEmpty() || known.isEmpty()) {
      return null;
    }
    List<String> days = all.stream().flatMap(entry -> entry.days().stream()).distinct().toList();
    return new LedgerTrials(known.get()).count(all.get(0).withDays(days));
  }

  /**
   * Records agents that were compared on the bars of a trial while they trained.
   *
   * @param bars a trial on these bars
   * @param agents settings of the agents
   */
  public void recordSelection(Trial bars, Collection<RunConfig> agents) {
    ledger.add(
        agents.stream()
            .map(
                agent ->
                    bars.entry()
                        .asSelection(LedgerEntry.settingsHash(agent), agent.seed())
                        .recorded(clock.instant().toString(), null))
            .toList());
  }

  /**
   * What the trials of a study prove, those in the ledger included.
   *
   * @param trials those on other bars than most are left out
   * @param blocks of the bars for the probability of overfitting; null for a number that fits
   * @return the evidence; empty without a trial
   */
  public Optional<StudyEvidence> study(List<StudyTrial> trials, @Nullable Integer blocks) {
    List<StudyTrial> same = StudyEvidence.comparable(trials);
    if (same.isEmpty()) {
      return Optional.empty();
    }
    Trial best = StudyEvidence.best(same).trial();
    List<Trial> atHand = same.stream().map(StudyTrial::trial).toList();
    TrialEvidence evidence = evidence(best, ledger.read(), atHand);
    return Optional.of(StudyEvidence.of(same, trials.size() - same.size(), blocks, evidence));
  }

  /** {@link #study} with a file {@code evidence.json} in the directory of the study. */
  public Optional<StudyEvidence> studyIn(Path directory, List<StudyTrial> trials) {
    Optional<StudyEvidence> evidence = study(trials, null);
    evidence.ifPresent(numbers -> write(directory.resolve(RunLayout.evidence("")), numbers));
    return evidence;
  }

  private static void write(Path file, StudyEvidence numbers) {
    try {
      AtomicFiles.write(file, Json.text(numbers) + "\n");
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  private TrialEvidence evidence(
      Trial trial, Optional<List<LedgerEntry>> known, List<Trial> atHand) {
    return TrialEvidence.of(
        trial.returns().agent(),
        known.map(all -> OtherTrials.of(trial, all, ledger.directory(), atHand)).orElse(null));
  }

  /** The entry with a path that holds from the directory of the ledger. */
  private LedgerEntry recorded(LedgerEntry entry, Path run) {
    String moment = clock.instant().toString();
    if (entry.series() == null) {
      return entry.recorded(moment, null);
    }
    Path series = run.toAbsolutePath().normalize().resolve(entry.series());
    Path directory = ledger.directory();
    return entry.recorded(
        moment,
        series.startsWith(directory)
            ? directory.relativize(series).toString().replace('\\', '/')
            : series.toString());
  }
}
