package io.quantail.app.console;

import io.quantail.study.sweep.SweepResult;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** The result of a sweep as text: all points of the grid, the best first, and the next commands. */
public final class SweepText {
  private SweepText() {}

  /**
   * Paths and conditions that the text names.
   *
   * @param agents directory of the agents' runs
   * @param csv file with the scores of all agents
   * @param config file of the settings
   * @param testUnseen whether agents were scored without the test part of their data
   */
  public record Context(Path agents, Path csv, Path config, boolean testUnseen) {}

  public static String of(SweepResult sweep, Context context) {
    TextTable table =
        new TextTable()
            .left("settings")
            .right("seeds")
            .right("median")
            .right("worst")
            .right("best")
            .right(sweep.halved() ? "steps" : "")
            .left(sweep.limited() ? "limit" : "")
            .left("");
    for (SweepResult.Point point : sweep.ranked()) {
      int seeds = point.trainings().size();
      boolean whole = point.trained() == seeds;
      table.row(
          point.words(),
          whole ? String.valueOf(seeds) : point.trained() + " of " + seeds,
          SweepResult.shown(point.median()),
          SweepResult.shown(point.worst()),
          SweepResult.shown(point.best()),
          sweep.halved() ? format("%,d", SweepResult.steps(point)) : "",
          point.limits(),
          sweep.bestPoint().filter(point::equals).isPresent() ? "<- best by median" : "");
    }
    return format("%n%s; score: %s%n%n", sweep.environment(), sweep.judged())
        + table
        + format("%n%s%n", sweep.verdict())
        + (sweep.doubt().isEmpty() ? "" : format("%s%n", sweep.doubt()))
        + next(sweep, context);
  }

  private static String next(SweepResult sweep, Context context) {
    SweepResult.Point first = sweep.ranked().get(0);
    String seed = first.trainings().size() == 1 ? "" : " (the median seed)";
    String bars = context.testUnseen() ? ", which shows the test bars" : "";
    String closer =
        Double.isFinite(first.median())
            ? format(
                "%n  look closer quantail evaluate %s%s%s%n",
                context.agents().resolveSibling(first.medianTraining().run()), seed, bars)
            : format("%n");
    String use =
        sweep
            .bestPoint()
            .map(
                best ->
                    format(
                        "  next        quantail train %s%s%n", context.config(), overrides(best)))
            .orElse("");
    return closer
        + use
        + format("  agents      %s (each a run)%n", context.agents())
        + format("  numbers     %s%n", context.csv());
  }

  private static String overrides(SweepResult.Point point) {
    return point.settings().entrySet().stream()
        .map(one -> " --set " + one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining());
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
