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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says how files of bars are understood and everything that is wrong with them. */
@Command(
    name = "validate",
    description = "Lists every problem of files of bars; 0 if there is none, 3 otherwise.",
    mixinStandardHelpOptions = true)
final class DataValidateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "CSV (also gz), Parquet, a quoted glob, demo:btc or demo:apple.")
  private List<String> files;

  @Mixin private BarFileOptions arguments;

  @Option(names = "--json", description = "End with the result as one line of JSON.")
  private boolean json;

  /**
   * @param file as it was named
   * @param sources how each file was understood
   * @param errors why it is refused
   * @param warnings what is odd
   * @param bars what it holds; null if it is refused
   */
  private record Result(
      String file,
      List<String> sources,
      List<String> errors,
      List<String> warnings,
      BarsSummary bars) {}

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
