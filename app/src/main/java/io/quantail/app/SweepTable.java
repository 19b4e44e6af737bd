package io.quantail.app;

import io.quantail.market.setup.MarketProvider;
import io.quantail.run.RunLayout;
import io.quantail.study.sweep.SweepResult;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** A sweep for a person: every point of the grid, the best first, and what to do next. */
final class SweepTable {
  private SweepTable() {}

  static String of(SweepResult sweep, Path directory, Path config) {
    StringBuilder text = new StringBuilder();
    int width = sweep.points().stream().mapToInt(one -> one.words().length()).max().orElseThrow();
    String row = "  %-" + Math.max(width, "settings".length()) + "s %9s %10s %10s %10s%s%n";
    text.append(format("%n%s; score: %s%n%n", sweep.environment(), sweep.judged()));
    text.append(format(row, "settings", "seeds", "median", "worst", "best", ""));
    for (SweepResult.Point point : sweep.ranked()) {
      int seeds = point.trainings().size();
      boolean whole = point.trained() == seeds;
      text.append(
          format(
              row,
              point.words(),
              whole ? String.valueOf(seeds) : point.trained() + " of " + seeds,
              SweepResult.shown(point.median()),
              SweepResult.shown(point.worst()),
              SweepResult.shown(point.best()),
              sweep.bestPoint().filter(point::equals).isPresent() ? "  <- best by median" : ""));
    }
    text.append(format("%n%s%n", sweep.verdict()));
    if (!sweep.doubt().isEmpty()) {
      text.append(format("%s%n", sweep.doubt()));
    }
    return text.append(next(sweep, directory, config)).toString();
  }

  private static String next(SweepResult sweep, Path directory, Path config) {
    SweepResult.Point first = sweep.ranked().get(0);
    String seed = first.trainings().size() == 1 ? "" : " (the median seed)";
    String bars =
        sweep.environment().equals(MarketProvider.NAME) ? ", which shows the test bars" : "";
    String closer =
        Double.isFinite(first.median())
            ? format(
                "%n  look closer quantail evaluate %s%s%s%n",
                directory.resolve(first.medianTraining().run()), seed, bars)
            : format("%n");
    String use =
        sweep
            .bestPoint()
            .map(best -> format("  next        quantail train %s%s%n", config, overrides(best)))
            .orElse("");
    return closer
        + use
        + format("  agents      %s (each a run)%n", directory.resolve(RunLayout.SWEEP_RUNS))
        + format("  numbers     %s%n", directory.resolve(RunLayout.SWEEP_CSV));
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
