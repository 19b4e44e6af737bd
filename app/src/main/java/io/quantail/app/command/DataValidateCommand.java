package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.app.common.ExitCode;
import io.quantail.app.console.BarsSummary;
import io.quantail.market.data.BarsReadReport;
import io.quantail.market.data.DataProblem;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
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
    description =
        "Lists all problems in files of bars; exit code 0 if there are none, 3 otherwise.",
    mixinStandardHelpOptions = true)
final class DataValidateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "demo:btc, demo:AAPL, CSV (also gzipped), Parquet or a quoted glob.")
  private List<String> files;

  @Mixin private BarFileOptions arguments;

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
    for (String file : files) {
      results.add(result(file, arguments.read(file)));
    }
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      output.println(Json.line(results));
    } else {
      results.forEach(result -> print(result, output));
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

  private static void print(Result result, PrintWriter output) {
    result.sources().forEach(output::println);
    result.errors().forEach(problem -> output.println("  error: " + problem));
    result.warnings().forEach(problem -> output.println("  warning: " + problem));
    output.println(
        result.bars() == null
            ? "%s is refused, errors: %d".formatted(result.file(), result.errors().size())
            : result.bars().text());
  }
}
