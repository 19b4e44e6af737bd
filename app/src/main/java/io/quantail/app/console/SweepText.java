package io.quantail.app.console;

import io.quantail.app.common.ErrorText;
import io.quantail.study.sweep.SweepResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of a sweep as text: all points of the grid, the best first, and the next commands. */
public final class SweepText {
  private SweepText() {}

  /**
   * Paths and conditions that the text names.
   *
   * @param agents directory of the agents' runs
   * @param csv file with the scores of all agents
   * @param config file of the settings
   * @param overrides settings that the user gave with {@code --set}
   * @param testUnseen whether agents were scored without the test part of their data
   */
  public record Context(
      Path agents, Path csv, Path config, List<String> overrides, boolean testUnseen) {}

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
          sweep.bestPoint().filter(point::equals).isPresent() ? "<-" : "");
    }
    return format("%n")
        + WrappedText.of("%s; score: %s".formatted(sweep.environment(), sweep.judged()))
        + format("%n")
        + table
        + format("%n")
        + WrappedText.of(sweep.verdict())
        + (sweep.doubt().isEmpty() ? "" : WrappedText.of(sweep.doubt()))
        + next(sweep, context);
  }

  private static String next(SweepResult sweep, Context context) {
    SweepResult.Point first = sweep.ranked().get(0);
    String seed = first.trainings().size() == 1 ? "" : "the median seed";
    String bars = context.testUnseen() ? "shows the test bars" : "";
    String closer =
        Double.isFinite(first.median())
            ? format("%n")
                + WrappedText.command(
                    "look closer",
                    "quantail evaluate "
                        + context.agents().resolveSibling(first.medianTraining().run()))
                + (seed.isEmpty() && bars.isEmpty()
                    ? ""
                    : WrappedText.entry(
                        "", seed + (seed.isEmpty() || bars.isEmpty() ? "" : "; ") + bars))
            : format("%n");
    String use =
        sweep
            .bestPoint()
            .map(
                best ->
                    WrappedText.command(
                        "next", "quantail train " + context.config() + overrides(context, best)))
            .orElse("");
    return closer
        + use
        + WrappedText.entry("agents", context.agents() + " (each a run)")
        + WrappedText.entry("numbers", context.csv().toString());
  }

  /** What the user has set, and then what the sweep has chosen. */
  private static String overrides(Context context, SweepResult.Point point) {
    return Stream.concat(
            context.overrides().stream(),
            point.settings().entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()))
        .map(setting -> " --set " + ErrorText.quoted(setting))
        .collect(Collectors.joining());
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
