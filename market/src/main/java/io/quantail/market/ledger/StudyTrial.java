package io.quantail.market.ledger;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A trial of a study: one agent, or agents of consecutive bars.
 *
 * @param name for users
 * @param trial its returns and entry
 */
public record StudyTrial(String name, Trial trial) {

  /**
   * The trial in the directories of runs.
   *
   * @param runs of consecutive bars
   * @param suffix of the files of the evaluation; empty for test bars
   * @return the trial; empty if a run has no returns
   */
  public static Optional<StudyTrial> read(String name, List<Path> runs, String suffix) {
    List<Trial> parts =
        runs.stream().flatMap(run -> EvidenceFile.trial(run, suffix).stream()).toList();
    return parts.isEmpty() || parts.size() < runs.size()
        ? Optional.empty()
        : Optional.of(new StudyTrial(name, Trial.chained(parts)));
  }
}
