package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.console.BarsSummary;
import io.quantail.app.console.Style;
import io.quantail.app.console.WrappedText;
import io.quantail.market.data.BarsReadReport;
import io.quantail.market.data.DataProblem;
import io.quantail.market.data.ProblemSummary;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reports how files of bars are read, and all problems in them. */
@Command(
    name = "validate",
    description = {
      "Sums up the problems in files of bars.",
      "Exit code 0 if there are none, 3 otherwise."
    },
    mixinStandardHelpOptions = true)
final class DataValidateCommand implements Callable<Integer> {
  private static final int MOST_LINES = 20;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "demo:btc, demo:AAPL, CSV (also gzipped), Parquet or a quoted glob; default: the files"
              + " of --config.")
  private List<String> files;

  @Mixin private BarFileOptions arguments;

  @Option(names = "--all", description = "List every problem; default: 20 lines that sum them up.")
  private boolean all;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  /**
   * @param file path as given
   * @param sources how each file was read
   * @param errors problems for which it is refused
   * @param warnings problems that are accepted
   * @param bars summary of its bars; null if it is refused
   */
  private record Result(
      String file,
      List<String> sources,
      List<String> errors,
      List<String> warnings,
      @Nullable BarsSummary bars) {}

  @Override
  public Integer call() throws JsonProcessingException {
    List<Result> results = new ArrayList<>();
    PrintWriter output = spec.commandLine().getOut();
    for (String file : arguments.orConfigured(files)) {
      BarsReadReport report = arguments.read(file);
      Result result = result(file, report);
      results.add(result);
      if (!json) {
        print(result, report.problems(), output);
      }
    }
    if (json) {
      output.println(Json.line(results));
    }
    boolean good = results.stream().allMatch(result -> result.errors().isEmpty());
    return good ? ExitCode.OK : ExitCode.DATA;
  }

  private static Result result(String file, BarsReadReport report) {
    return new Result(
        file,
        report.sources(),
        report.errors().stream().map(DataProblem::toString).toList(),
        report.warnings().stream().map(DataProblem::toString).toList(),
        report.bars() == null ? null : BarsSummary.of(report.bars()));
  }

  private void print(Result result, List<DataProblem> problems, PrintWriter output) {
    result.sources().forEach(source -> output.print(WrappedText.of(source, "", "  ")));
    if (all) {
      result.errors().forEach(problem -> print(output, true, problem));
      result.warnings().forEach(problem -> print(output, false, problem));
    } else {
      printSummary(ProblemSummary.lines(problems), output);
    }
    output.print(
        result.bars() == null
            ? WrappedText.of(
                String.format(
                    Locale.ROOT,
                    "%s is refused, errors: %d",
                    result.file(),
                    result.errors().size()),
                "",
                "  ")
            : result.bars().text());
    output.flush();
  }

  private static void print(PrintWriter output, boolean error, String problem) {
    Style style = error ? Style.RED : Style.YELLOW;
    output.print(
        WrappedText.of(problem, "  " + style.of(error ? "error:" : "warning:") + " ", "    "));
  }

  private static void printSummary(List<ProblemSummary.Line> lines, PrintWriter output) {
    int shown = lines.size() <= MOST_LINES ? lines.size() : MOST_LINES - 1;
    for (ProblemSummary.Line line : lines.subList(0, shown)) {
      print(output, line.severity() == DataProblem.Severity.ERROR, line.text());
    }
    if (shown < lines.size()) {
      output.printf(
          Locale.ROOT, "  ... and %,d more lines; --all lists all%n", lines.size() - shown);
    }
  }
}
