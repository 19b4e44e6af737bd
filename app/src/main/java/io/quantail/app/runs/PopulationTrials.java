package io.quantail.app.runs;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.market.evaluation.MarketEvaluation;
import io.quantail.market.ledger.EvidenceFile;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.ledger.StudyTrial;
import io.quantail.market.ledger.TrialRecorder;
import io.quantail.model.ActingModel;
import io.quantail.run.RunReader;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.study.population.JournalEntry;
import io.quantail.study.population.Population;
import io.quantail.study.population.PopulationResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The members of a population on a market as trials. The members of the last generation and the
 * best one are evaluated on the validation bars, by which members are scored; those of earlier
 * generations, which have no snapshot any more, are selections.
 */
public final class PopulationTrials {
  private PopulationTrials() {}

  /**
   * Evaluates members and records them.
   *
   * @param directory of the population
   * @return what the evaluated members prove together; null if none can be evaluated
   */
  public static @Nullable StudyEvidence record(
      TrialRecorder recorder, Population population, PopulationResult result, Path directory) {
    List<JournalEntry> evaluated =
        Stream.concat(result.members().stream(), Stream.ofNullable(result.best()))
            .filter(entry -> entry.done() && entry.score() != null)
            .distinct()
            .toList();
    List<Path> members = evaluated.stream().map(entry -> directory(directory, entry)).toList();
    for (JournalEntry entry : evaluated) {
      evaluate(population, entry, directory(directory, entry));
    }
    recorder.recordAll(members, StudyTrials.VALIDATION, null);
    List<StudyTrial> trials = StudyTrials.read(named(evaluated, members), StudyTrials.VALIDATION);
    if (!trials.isEmpty()) {
      List<RunConfig> earlier =
          result.generations().stream()
              .flatMap(generation -> generation.members().stream())
              .filter(entry -> entry.score() != null && !evaluated.contains(entry))
              .map(population::configOf)
              .toList();
      recorder.recordSelection(trials.get(0).trial(), earlier);
    }
    return recorder.studyIn(directory, trials).orElse(null);
  }

  private static List<StudyTrials> named(List<JournalEntry> entries, List<Path> members) {
    return entries.stream()
        .map(
            entry ->
                new StudyTrials(
                    String.format(
                        Locale.ROOT,
                        "member %d of generation %d",
                        entry.member(),
                        entry.generation()),
                    List.of(members.get(entries.indexOf(entry)))))
        .toList();
  }

  private static Path directory(Path population, JournalEntry entry) {
    return population.resolve(Objects.requireNonNull(entry.snapshot()));
  }

  /** Leaves the member's returns beside its snapshot, if they are not there. */
  private static void evaluate(Population population, JournalEntry entry, Path directory) {
    if (EvidenceFile.read(directory, StudyTrials.VALIDATION).isPresent()) {
      return;
    }
    RunConfig config = population.configOf(entry);
    Snapshot snapshot = population.snapshotOf(entry);
    MarketEvaluation protocol =
        (MarketEvaluation)
            EvaluationProtocol.of(config, EnvironmentRegistry.of(config), DataPart.VALIDATION);
    RunReader run = new RunReader(directory, config, snapshot);
    ActingModel agent = run.agent(protocol.environments());
    EvidenceFile.write(directory, StudyTrials.VALIDATION, protocol.trial(agent), null);
  }
}
