package io.quantail.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.console.RunComparisonText;
import io.quantail.app.console.TrainingSummary;
import io.quantail.app.report.AlertNotice;
import io.quantail.app.report.CompareReport;
import io.quantail.app.runs.ReportWriter;
import io.quantail.app.runs.RunComparison;
import io.quantail.app.runs.RunOverview;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.market.ledger.TrialRecorder;
import io.quantail.run.RunReader;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.io.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares runs. */
@Command(
    name = "compare",
    description = "Compares runs: results, key metrics and the settings that differ.",
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
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
      description = "Write an HTML page with overlaid learning curves.")
  private Path report;

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  /**
   * @param runs in the order they were named
   * @param settings those that differ: values by path, in the order of the runs
   * @param notes what cannot be compared, and why
   * @param report path of the page; null if none was requested
   */
  private record Result(
      List<RunResult> runs,
      Map<String, List<String>> settings,
      List<String> notes,
      @Nullable String report) {}

  /**
   * @param run directory
   * @param environment name of the environment
   * @param finished whether training has ended
   * @param seed of the run
   * @param updates policy updates so far
   * @param steps environment steps so far
   * @param metrics the last value of each key metric
   * @param alerts all alerts of the run
   * @param evaluation as in {@code result.json}; null while the run has not ended
   * @param limit as in {@code result.json}; null if there is none
   * @param ledger evaluations on the same bars by now; null without bars that count
   */
  private record RunResult(
      String run,
      String environment,
      boolean finished,
      long seed,
      long updates,
      long steps,
      Map<String, Double> metrics,
      List<AlertNotice> alerts,
      @Nullable JsonNode evaluation,
      @Nullable LimitResult limit,
      @Nullable TrialEvidence ledger) {
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
          AlertNotice.of(RunReader.alerts(run.directory())),
          run.finished() ? run.evaluation() : null,
          run.limit(),
          run.evidence());
    }
  }

  @Override
  public Integer call() throws JsonProcessingException {
    if (report != null) {
      UsageException.requireAbsent(report);
    }
    TrialRecorder ledger = LedgerAccess.recorder(spec);
    List<RunOverview> runs =
        directories.stream().map(run -> RunOverview.read(run, ledger)).toList();
    RunComparison comparison = new RunComparison(runs);
    String page = report == null ? null : ReportWriter.write(report, comparison.html()).toString();
    PrintWriter output = spec.commandLine().getOut();
    if (json) {
      Map<String, List<String>> settings = new LinkedHashMap<>();
      for (CompareReport.Row row : comparison.settings()) {
        settings.put(row.name(), row.cells());
      }
      List<RunResult> results = runs.stream().map(RunResult::of).toList();
      output.println(Json.line(new Result(results, settings, comparison.notes(), page)));
    } else {
      output.print(
          RunComparisonText.of(comparison) + (page == null ? "" : TrainingSummary.report(page)));
      output.flush();
    }
    return ExitCode.OK;
  }
}
