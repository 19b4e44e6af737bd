package io.quantail.app;

import io.quantail.app.report.RobustnessReport;
import io.quantail.config.AttackNorm;
import io.quantail.run.io.Json;
import io.quantail.train.Evaluator.Evaluation;
import io.quantail.train.Robustness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Return against strength, attack by attack: for a person, as {@code robustness.html} too, and as
 * {@code robustness.json} and {@code robustness.csv} for programs.
 *
 * @param run directory of the run
 * @param environment its task
 * @param norm how disturbances are measured
 * @param seed of the episodes
 * @param rows what was measured
 * @param report path of the page
 */
record RobustnessTable(
    String run,
    String environment,
    AttackNorm norm,
    long seed,
    List<Robustness.Row> rows,
    String report) {
  static final String PAGE = "robustness.html";
  private static final String ROW = "  %-10s %9s %10s %10s %10s %10s%n";

  static String progress(Robustness.Row row, Robustness.Plan plan) {
    return format(
        "%s at %s of %d measurements: %s",
        row.attack(), row.epsilon(), plan.size(), Summary.shown(row.evaluation().meanReturn()));
  }

  String text() {
    Evaluation first = rows.get(0).evaluation();
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "%n%s, %d episodes, disturbances measured by %s in units of what the network sees%n",
            environment, first.episodes(), norm.name().toLowerCase(Locale.ROOT)));
    text.append(format(ROW, "attack", "epsilon", "return", "±", "worst", "best"));
    for (Robustness.Row row : rows) {
      Evaluation numbers = row.evaluation();
      text.append(
          format(
              ROW,
              row.attack(),
              row.attack().equals("none") ? "" : format("%.4g", row.epsilon()),
              Summary.shown(numbers.meanReturn()),
              Summary.shown(numbers.stdReturn()),
              Summary.shown(numbers.minReturn()),
              Summary.shown(numbers.maxReturn())));
    }
    return text.append(Summary.report(report)).toString();
  }

  void write(Path directory) {
    StringBuilder lines = new StringBuilder("attack,epsilon,episodes,mean,std,min,max,length\n");
    for (Robustness.Row row : rows) {
      Evaluation numbers = row.evaluation();
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
    RunReport.write(
        Path.of(report),
        RobustnessReport.html(
            new RobustnessReport.Facts(RunReport.name(directory), environment, norm, seed, rows)));
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
