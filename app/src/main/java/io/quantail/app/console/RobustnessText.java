package io.quantail.app.console;

import io.quantail.app.report.RobustnessReport;
import io.quantail.app.runs.ReportWriter;
import io.quantail.config.RobustConfig;
import io.quantail.run.io.Json;
import io.quantail.train.EvaluationSummary;
import io.quantail.train.RobustnessEvaluator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Returns under attacks of different strengths: as text, and as the files {@code robustness.html},
 * {@code robustness.json} and {@code robustness.csv}.
 *
 * @param run directory of the run
 * @param environment name of the run's environment
 * @param norm in which perturbations are measured
 * @param seed of the episodes
 * @param rows one for each attack and strength
 * @param report path of the page
 */
public record RobustnessText(
    String run,
    String environment,
    RobustConfig.AttackNorm norm,
    long seed,
    List<RobustnessEvaluator.Row> rows,
    String report) {
  public static final String PAGE = "robustness.html";

  public static String progress(RobustnessEvaluator.Row row, RobustnessEvaluator.Plan plan) {
    return format(
        "%s at %s of %d measurements: %s",
        row.attack(),
        row.epsilon(),
        plan.size(),
        TrainingSummary.shown(row.evaluation().meanReturn()));
  }

  public String text() {
    EvaluationSummary first = rows.get(0).evaluation();
    TextTable table =
        new TextTable()
            .left("attack")
            .right("epsilon")
            .right("return")
            .right("±")
            .right("worst")
            .right("best");
    for (RobustnessEvaluator.Row row : rows) {
      EvaluationSummary numbers = row.evaluation();
      table.row(
          row.attack(),
          row.attack().equals("none") ? "" : format("%.4g", row.epsilon()),
          TrainingSummary.shown(numbers.meanReturn()),
          TrainingSummary.shown(numbers.stdReturn()),
          TrainingSummary.shown(numbers.minReturn()),
          TrainingSummary.shown(numbers.maxReturn()));
    }
    return format("%n")
        + WrappedText.of(
            format(
                "%s, %d episodes, perturbations measured by %s in units of the network's inputs",
                environment, first.episodes(), norm.name().toLowerCase(Locale.ROOT)))
        + table
        + TrainingSummary.report(report);
  }

  public void write(Path directory) {
    StringBuilder lines = new StringBuilder("attack,epsilon,episodes,mean,std,min,max,length\n");
    for (RobustnessEvaluator.Row row : rows) {
      EvaluationSummary numbers = row.evaluation();
      lines.append(
          String.join(
                  ",",
                  row.attack(),
                  Double.toString(row.epsilon()),
                  Integer.toString(numbers.episodes()),
                  Double.toString(numbers.meanReturn()),
                  Double.toString(numbers.stdReturn()),
                  Double.toString(numbers.minReturn()),
                  Double.toString(numbers.maxReturn()),
                  Double.toString(numbers.meanLength()))
              + "\n");
    }
    ReportWriter.write(
        Path.of(report),
        RobustnessReport.html(
            new RobustnessReport.Facts(
                ReportWriter.name(directory), environment, norm, seed, rows)));
    try {
      Files.writeString(directory.resolve("robustness.csv"), lines);
      Files.writeString(directory.resolve("robustness.json"), Json.text(this));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the report into " + directory, failure);
    }
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
