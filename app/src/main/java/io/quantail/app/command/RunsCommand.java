package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.RunsText;
import io.quantail.app.runs.StoredRun;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists runs and studies; its subcommand removes them. */
@Command(
    name = "runs",
    description = {
      "Lists runs and studies, and removes some of them.",
      "Studies are sweeps, walk-forwards and populations. The newest is last."
    },
    mixinStandardHelpOptions = true,
    subcommands = {RunsRemoveCommand.class, CommandLine.HelpCommand.class})
public final class RunsCommand implements Callable<Integer> {
  /** Orders of the list. */
  enum Order {
    NAME(Comparator.comparing(StoredRun::name)),
    CHANGED(Comparator.comparing(StoredRun::changed)),
    RESULT(
        Comparator.comparing(
            StoredRun::result, Comparator.nullsFirst(Comparator.<Double>naturalOrder())));

    private final Comparator<StoredRun> comparator;

    Order(Comparator<StoredRun> comparator) {
      this.comparator = comparator;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--in",
      paramLabel = "DIR",
      description = "Directory of the runs; default: ${DEFAULT-VALUE}.")
  private Path directory = RunDirectoryOption.RUNS;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those that are running, finished, interrupted or failed.")
  private StoredRun.State state;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only run, sweep, walkforward or population.")
  private StoredRun.Kind kind;

  @Option(
      names = "--filter",
      paramLabel = "TEXT",
      description = "Only those with this text in their name or environment.")
  private String filter = "";

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      description = "Order: ${COMPLETION-CANDIDATES}; default: changed. The last is the largest.")
  private Order order = Order.CHANGED;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  /**
   * @param directory of the runs
   * @param runs that were asked for
   */
  private record Result(String directory, List<StoredRun> runs) {}

  @Override
  public Integer call() throws JsonProcessingException {
    if (!Files.isDirectory(directory)) {
      throw new UsageException(
          "there is no directory %s; name the directory of the runs with --in"
              .formatted(directory));
    }
    List<StoredRun> runs =
        StoredRun.in(directory).stream()
            .filter(run -> state == null || run.state() == state)
            .filter(run -> kind == null || run.kind() == kind)
            .filter(run -> contains(run.name()) || contains(run.environment()))
            .sorted(order.comparator)
            .toList();
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(new Result(directory.toString(), runs)));
    } else if (runs.isEmpty()) {
      output.println("no such run in " + directory);
    } else {
      output.print(RunsText.of(runs));
    }
    output.flush();
    return ExitCode.OK;
  }

  private boolean contains(String text) {
    return text.toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
  }
}
