package io.quantail.app;

import io.quantail.app.report.Sweep;
import io.quantail.market.setup.MarketProvider;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/** A sweep for a person: every point of the grid, the best first, and what to do next. */
final class SweepTable {
  private SweepTable() {}

  static String of(Sweep sweep, Path directory, Path config) {
    StringBuilder text = new StringBuilder();
    int width = sweep.points().stream().mapToInt(one -> one.words().length()).max().orElseThrow();
    String row = "  %-" + Math.max(width, "settings".length()) + "s %9s %10s %10s %10s%s%n";
    text.append(format("%n%s; score: %s%n%n", sweep.environment(), sweep.judged()));
    text.append(format(row, "settings", "seeds", "median", "worst", "best", ""));
    for (Sweep.Point point : sweep.ranked()) {
      int seeds = point.trainings().size();
      boolean whole = point.trained() == seeds;
      text.append(
          format(
              row,
              point.words(),
              whole ? String.valueOf(seeds) : point.trained() + " of " + seeds,
              Sweep.shown(point.median()),
              Sweep.shown(point.worst()),
              Sweep.shown(point.best()),
              sweep.best().filter(point::equals).isPresent() ? "  <- best by median" : ""));
    }
    text.append(format("%n%s%n", sweep.verdict()));
    if (!sweep.doubt().isEmpty()) {
      text.append(format("%s%n", sweep.doubt()));
    }
    return text.append(next(sweep, directory, config)).toString();
  }

  private static String next(Sweep sweep, Path directory, Path config) {
    Sweep.Point first = sweep.ranked().get(0);
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
            .best()
            .map(best -> format("  go on       quantail train %s%s%n", config, overrides(best)))
            .orElse("");
    return closer
        + use
        + format("  agents      %s (each a run)%n", directory.resolve(SweepCommand.AGENTS))
        + format("  numbers     %s%n", directory.resolve(SweepCommand.CSV));
  }

  private static String overrides(Sweep.Point point) {
    return point.settings().entrySet().stream()
        .map(one -> " --set " + one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining());
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
