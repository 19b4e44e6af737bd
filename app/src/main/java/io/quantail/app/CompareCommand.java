package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.report.CompareReport;
import io.quantail.app.report.Notice;
import io.quantail.run.RunReader;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows runs side by side. */
@Command(
    name = "compare",
    description = "Shows runs side by side: results, key metrics and the settings that differ.",
    mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "1..*",
      paramLabel = "RUN",
      description = "Run directories made by train.")
  private List<Path> directories;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a page with overlaid learning curves.")
  private Path report;

  @Option(names = "--json", description = "End with the result as one line of JSON.")
  private boolean json;

  /**
   * @param runs in the order they were named
   * @param settings those that differ: values by path, in the order of the runs
   * @param notes what cannot be compared, and why
   * @param report the page; null if none was asked for
   */
  private record Result(
      List<RunResult> runs,
      Map<String, List<String>> settings,
      List<String> notes,
      String report) {}

  /**
   * @param run directory
   * @param environment what was learnt
   * @param finished whether training has ended
   * @param seed of the run
   * @param updates policy updates done
   * @param steps environment steps done
   * @param metrics the last value of each key metric
   * @param alerts what was raised
   * @param evaluation as in {@code result.json}; null while the run has not ended
   */
  private record RunResult(
      String run,
      String environment,
      boolean finished,
      long seed,
      long updates,
      long steps,
      Map<String, Double> metrics,
      List<Notice> alerts,
      JsonNode evaluation) {
    static RunResult of(RunOverview run) {
      Map<String, Double> last = new LinkedHashMap<>();
      run.metrics()
          .curves()
          .forEach((name, curve) -> last.put(name, curve.y()[curve.y().length - 1]));
      return new RunResult(
          run.directory().toString(),
          run.config().environment().name(),
          run.finished(),
          run.config().seed(),
          run.metrics().updates(),
          run.metrics().steps(),
          last,
          Notice.of(RunReader.alerts(run.directory())),
          run.finished() ? run.evaluation() : null);
    }
  }

  @Override
  public Integer call() throws JsonProcessingException {
    if (report != null) {
      NewFile.require(report);
    }
    List<RunOverview> runs = directories.stream().map(RunOverview::read).toList();
    RunComparison comparison = new RunComparison(runs);
    String page = report == null ? null : RunReport.write(report, comparison.html()).toString();
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      Map<String, List<String>> settings = new LinkedHashMap<>();
      for (CompareReport.Row row : comparison.settings()) {
        settings.put(row.name(), row.cells());
      }
      List<RunResult> results = runs.stream().map(RunResult::of).toList();
      output.println(Json.line(new Result(results, settings, comparison.notes(), page)));
    } else {
      output.print(comparison.text() + (page == null ? "" : Summary.report(page)));
      output.flush();
    }
    return ExitCode.OK;
  }
}
