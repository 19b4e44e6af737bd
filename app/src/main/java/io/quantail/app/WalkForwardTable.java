package io.quantail.app;

import io.quantail.market.desk.Comparison;
import io.quantail.market.walk.FoldOutcome;
import io.quantail.market.walk.FoldSpan;
import io.quantail.market.walk.WalkForwardResult;
import io.quantail.market.walk.WalkForwardResult.SeedResult;
import io.quantail.market.walk.WalkForwardResult.Spread;
import io.quantail.run.RunLayout;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A walk forward for a person: every fold, every seed, and what it comes to. */
final class WalkForwardTable {
  private static final String ROW = "  %-6s %-44s %10s %10s %10s %14s %8s %10s%n";

  private WalkForwardTable() {}

  static String of(Path directory, WalkForwardResult result) {
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "%nWalk forward, folds: %d, seeds: %d; out-of-sample returns net of costs%n%n",
            result.folds().size(), result.seeds().size()));
    text.append(
        format(
            ROW, "fold", "judged on", "worst", "median", "best", "buy-and-hold", "flat", "random"));
    for (FoldSpan fold : result.folds()) {
      FoldOutcome first = result.of(fold).get(0);
      text.append(
          row(
              String.valueOf(fold.number()),
              fold.test().replace("/", " to "),
              result.spread(fold),
              first::totalReturn));
    }
    text.append(
        row(
            "all",
            "chained, each seed through all folds",
            result.spread(),
            result.medianSeed()::totalReturn));
    text.append(format("%n  %-6s %10s %10s%n", "seed", "chained", "random"));
    for (SeedResult seed : result.seeds()) {
      text.append(
          format(
              "  %-6d %10s %10s%s%n",
              seed.seed(),
              percent(seed.totalReturn(Comparison.AGENT)),
              percent(seed.totalReturn("random")),
              seed == result.medianSeed() ? "  the median seed, below" : ""));
    }
    result.medianSeed().symbols().forEach(symbol -> text.append(ComparisonTable.of(symbol)));
    text.append(format("%n%s%n", verdict(result)));
    text.append(
        format(
            "%n  agents  %s (each a run for evaluate and signal)%n  curves  %s%n",
            directory.resolve(RunLayout.FOLDS), directory.resolve(RunLayout.CHAINED_ACCOUNT)));
    return text.toString();
  }

  private static String row(
      String name, String span, Spread agents, ToDoubleFunction<String> baseline) {
    return format(
        ROW,
        name,
        span,
        percent(agents.worst()),
        percent(agents.median()),
        percent(agents.best()),
        percent(baseline.applyAsDouble(Comparison.BUY_AND_HOLD)),
        percent(baseline.applyAsDouble("flat")),
        percent(baseline.applyAsDouble("random")));
  }

  /** Whether it was worth it, in a sentence. */
  static String verdict(WalkForwardResult result) {
    SeedResult median = result.medianSeed();
    double agent = median.totalReturn(Comparison.AGENT);
    double held = median.totalReturn(Comparison.BUY_AND_HOLD);
    boolean beat = agent > held;
    return format(
        "Out of sample, fold after fold, the median seed %s buy-and-hold: %s against %s%s;"
            + " %d of %d seeds ended above it, between %s and %s.",
        beat ? "beat" : "did not beat",
        percent(agent),
        percent(held),
        agent < 0 ? ", and it lost money; doing nothing was better" : "",
        result.seedsAboveBuyAndHold(),
        result.seeds().size(),
        percent(result.spread().worst()),
        percent(result.spread().best()));
  }

  private static String percent(double share) {
    return format("%+.2f %%", 100 * share);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
