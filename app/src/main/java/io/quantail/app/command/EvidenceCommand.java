package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.LedgerText;
import io.quantail.app.runs.StudyTrials;
import io.quantail.evidence.BacktestOverfitting;
import io.quantail.market.ledger.LedgerEntry;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.ledger.StudyTrial;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Computes what runs on the same bars prove together. */
@Command(
    name = "evidence",
    description = {
      "Prints how much runs on the same bars prove.",
      "The probability of backtest overfitting, and the deflated Sharpe ratio and "
          + "p-value of the best run."
    },
    mixinStandardHelpOptions = true)
public final class EvidenceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "1..*",
      paramLabel = "RUN",
      description =
          "Directories of runs, sweeps, walk-forwards or populations; a study counts as all of its"
              + " agents, a walk-forward as one agent per seed.")
  private List<Path> directories;

  @Option(
      names = "--blocks",
      paramLabel = "S",
      description =
          "Number of blocks of bars, even, from 2 to 20; default: blocks of at least 20 bars, at"
              + " most 16.")
  private Integer blocks;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    if (blocks != null
        && (blocks < 2 || blocks > BacktestOverfitting.MOST_BLOCKS || blocks % 2 != 0)) {
      throw new UsageException(
          String.format(
              Locale.ROOT,
              "--blocks must be even and from 2 to %d, was %d",
              BacktestOverfitting.MOST_BLOCKS,
              blocks));
    }
    List<StudyTrials> named =
        directories.stream().flatMap(directory -> StudyTrials.in(directory).stream()).toList();
    String suffix = StudyTrials.commonSuffix(named);
    List<StudyTrial> trials = named.stream().map(trial -> trial.require(suffix)).toList();
    requireSameBars(trials);
    StudyEvidence evidence = LedgerAccess.recorder(spec).study(trials, blocks).orElseThrow();
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(evidence));
    } else {
      output.print(LedgerText.of(evidence) + LedgerText.overfittingNote(evidence));
      output.flush();
    }
    return ExitCode.OK;
  }

  private static void requireSameBars(List<StudyTrial> trials) {
    StudyTrial first = trials.get(0);
    for (StudyTrial trial : trials) {
      if (!StudyEvidence.bars(trial).equals(StudyEvidence.bars(first))) {
        throw new UsageException(
            "%s was evaluated on %s and %s on %s; name runs that were evaluated on the same bars"
                .formatted(first.name(), bars(first), trial.name(), bars(trial)));
      }
    }
  }

  private static String bars(StudyTrial trial) {
    LedgerEntry entry = trial.trial().entry();
    return String.format(
        Locale.ROOT, "%d bars from %s to %s", entry.bars(), entry.from(), entry.to());
  }
}
