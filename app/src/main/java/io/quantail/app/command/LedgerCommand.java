package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.console.LedgerText;
import io.quantail.app.console.WrappedText;
import io.quantail.market.ledger.Ledger;
import io.quantail.market.ledger.LedgerEntry;
import io.quantail.market.ledger.LedgerTrials;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the evaluations on bars that agents did not learn from. */
@Command(
    name = "ledger",
    description = {
      "Lists the evaluations on bars that agents did not learn from.",
      "The newest is first. The ledger is ledger.jsonl in the directory "
          + "QUANTAIL_LEDGER, else in runs."
    },
    mixinStandardHelpOptions = true)
public final class LedgerCommand implements Callable<Integer> {
  private static final int LINES = 20;

  @Spec private CommandSpec spec;

  @Option(names = "--all", description = "List all entries; default: the newest 20.")
  private boolean all;

  @Option(names = "--json", description = "Print all entries as one line of JSON.")
  private boolean json;

  /**
   * @param file path of the ledger
   * @param complete whether every line could be read
   * @param entries the newest first
   */
  private record Result(String file, boolean complete, List<Line> entries) {}

  /**
   * @param run directory, as the ledger names it
   * @param kind {@code test} or {@code selection}
   * @param moment when it was recorded
   * @param settings hash of the settings
   * @param seed of the agent
   * @param sharpe per bar; null if it is not defined
   * @param bars number of returns
   * @param from close of the first bar
   * @param to close of the last bar
   * @param days number of days
   * @param shared agents that were evaluated on at least one of these days, this one included
   */
  private record Line(
      String run,
      LedgerEntry.Kind kind,
      @Nullable String moment,
      String settings,
      long seed,
      @Nullable Double sharpe,
      int bars,
      String from,
      String to,
      int days,
      int shared) {
    static Line of(LedgerEntry entry, LedgerTrials trials) {
      return new Line(
          LedgerText.run(entry),
          entry.kind(),
          entry.moment(),
          entry.settings(),
          entry.seed(),
          entry.sharpe(),
          entry.bars(),
          entry.from(),
          entry.to(),
          entry.days().size(),
          trials.count(entry));
    }
  }

  @Override
  public Integer call() throws JsonProcessingException {
    Ledger ledger = LedgerAccess.ledger(spec);
    boolean complete = ledger.read().isPresent();
    List<LedgerEntry> newest = new ArrayList<>(ledger.readable());
    Collections.reverse(newest);
    LedgerTrials trials = new LedgerTrials(newest);
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      List<Line> lines = newest.stream().map(entry -> Line.of(entry, trials)).toList();
      output.println(Json.line(new Result(ledger.file().toString(), complete, lines)));
    } else {
      output.print(text(ledger, newest, trials));
      output.flush();
    }
    return complete ? ExitCode.OK : ExitCode.DATA;
  }

  private String text(Ledger ledger, List<LedgerEntry> newest, LedgerTrials trials) {
    if (newest.isEmpty()) {
      return WrappedText.of(
          ledger.file() + " has no entry; train or evaluate an agent on a market first", "", "  ");
    }
    int shown = all ? newest.size() : Math.min(LINES, newest.size());
    String rest =
        shown < newest.size()
            ? String.format(
                Locale.ROOT, "%nolder entries: %d; list them with --all%n", newest.size() - shown)
            : "";
    return LedgerText.table(newest.subList(0, shown), trials)
        + rest
        + System.lineSeparator()
        + WrappedText.of(
            "shared: agents evaluated on at least one of these days, this one included", "", "  ")
        + WrappedText.of("ledger: " + ledger.file(), "", "  ");
  }
}
