package io.quantail.market.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.quantail.io.AtomicFiles;
import io.quantail.run.Ancestor;
import io.quantail.run.RunLayout;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code evidence.json} of a run. A task of a study writes the entries; the process that
 * leads the study records them in the ledger. The numbers of the ledger are added by {@code train}
 * and {@code evaluate}.
 *
 * @param entry of the ledger, with a series beside this file
 * @param selection entry of the bars on which the agent was validated while it trained; null if it
 *     was not
 * @param study settings of the study, if its agents count as one trial per seed; else null
 * @param ledger numbers that depend on the ledger; null before it was asked
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record EvidenceFile(
    LedgerEntry entry,
    @Nullable LedgerEntry selection,
    @Nullable String study,
    @Nullable TrialEvidence ledger) {

  /**
   * Writes the trial of an evaluation and its returns. The run of a study stays a part of it.
   *
   * @param suffix of the file names; empty for test bars
   * @param selection see {@link #selection}
   */
  public static void write(Path run, String suffix, Trial trial, @Nullable LedgerEntry selection) {
    String series = RunLayout.returns(suffix);
    trial.returns().write(run.resolve(series));
    String study = read(run, suffix).map(EvidenceFile::study).orElse(null);
    LedgerEntry chosen = selection == null ? null : descended(run, selection);
    new EvidenceFile(descended(run, trial.entry()).recorded(null, series), chosen, study, null)
        .write(run, suffix);
  }

  private static LedgerEntry descended(Path run, LedgerEntry entry) {
    return Ancestor.read(run).stream().findFirst().map(entry::from).orElse(entry);
  }

  /** Removes the files of an evaluation that another one has replaced. */
  public static void delete(Path run, String suffix) {
    try {
      Files.deleteIfExists(run.resolve(RunLayout.evidence(suffix)));
      Files.deleteIfExists(run.resolve(RunLayout.returns(suffix)));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot delete the evidence of " + run, failure);
    }
  }

  void write(Path run, String suffix) {
    Path file = run.resolve(RunLayout.evidence(suffix));
    try {
      AtomicFiles.write(file, Json.text(this) + "\n");
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** The file of a run; empty if there is none, or a damaged one. */
  public static Optional<EvidenceFile> read(Path run, String suffix) {
    Path file = run.resolve(RunLayout.evidence(suffix));
    try {
      return Files.isRegularFile(file)
          ? Optional.of(Json.MAPPER.readValue(file.toFile(), EvidenceFile.class))
              .filter(evidence -> evidence.entry != null)
          : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  /** The trial in a run; empty if it was not evaluated by this version, or a file is damaged. */
  static Optional<Trial> trial(Path run, String suffix) {
    EvidenceFile file = read(run, suffix).orElse(null);
    if (file == null || file.entry.series() == null) {
      return Optional.empty();
    }
    try {
      ReturnSeries returns = ReturnSeries.read(run.resolve(file.entry.series()));
      return Optional.of(new Trial(file.identified(), returns));
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  /** The entry with the settings by which it is counted. */
  private LedgerEntry identified() {
    return study == null ? entry : entry.withSettings(study);
  }

  /** The entries to record: the trial, and the selection if there was one. */
  List<LedgerEntry> entries() {
    return Stream.of(identified(), selection).filter(Objects::nonNull).toList();
  }

  EvidenceFile withStudy(String settings) {
    return new EvidenceFile(entry, selection, settings, ledger);
  }

  EvidenceFile withLedger(TrialEvidence numbers) {
    return new EvidenceFile(entry, selection, study, numbers);
  }
}
