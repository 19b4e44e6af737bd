package io.quantail.app;

import io.quantail.app.report.Sweep;
import io.quantail.io.CsvCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code sweep --json} prints and {@code results.json} keeps.
 *
 * @param run the directory
 * @param environment what was learnt
 * @param judged what a score is
 * @param points of the grid, in its order; the scores of agents that failed are null
 * @param best number of the best point; null if there is none
 * @param verdict in a sentence
 * @param report path of the page
 */
record SweepNumbers(
    String run,
    String environment,
    String judged,
    List<Sweep.Point> points,
    Integer best,
    String verdict,
    String report) {

  static SweepNumbers of(Path directory, Path report, Sweep sweep) {
    return new SweepNumbers(
        directory.toString(),
        sweep.environment(),
        sweep.judged(),
        sweep.points(),
        sweep.best().map(Sweep.Point::point).orElse(null),
        sweep.verdict(),
        report.toString());
  }

  /** One line an agent, with all digits; the score of one that failed is empty. */
  String csv() {
    List<String> head = new ArrayList<>(List.of("point", "seed"));
    head.addAll(points.get(0).settings().keySet());
    head.addAll(List.of("score", "steps", "run", "failure"));
    StringBuilder text = new StringBuilder(String.join(",", head)).append('\n');
    for (Sweep.Point point : points) {
      for (Sweep.Training training : point.trainings()) {
        text.append(line(point, training)).append('\n');
      }
    }
    return text.toString();
  }

  private static String line(Sweep.Point point, Sweep.Training training) {
    List<String> cells = new ArrayList<>();
    cells.add(String.valueOf(point.point()));
    cells.add(String.valueOf(training.seed()));
    point.settings().values().forEach(value -> cells.add(CsvCell.quote(value)));
    boolean failed = training.failure() != null;
    cells.add(failed ? "" : String.valueOf(training.score()));
    cells.add(failed ? "" : String.valueOf(training.steps()));
    cells.add(failed ? "" : training.run());
    cells.add(failed ? CsvCell.quote(training.failure()) : "");
    return String.join(",", cells);
  }
}
