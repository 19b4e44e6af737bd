package io.quantail.app.console;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardFold;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import io.quantail.market.walkforward.WalkForwardResult.Spread;
import io.quantail.run.RunLayout;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The result of a walk-forward evaluation as text: every fold, every seed, and the verdict. */
public final class WalkForwardText {
  private WalkForwardText() {}

  public static String of(Path directory, WalkForwardResult result) {
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "%nWalk forward, folds: %d, seeds: %d; out-of-sample returns net of costs%n%n",
            result.folds().size(), result.seeds().size()));
    text.append(folds(result)).append(format("%n")).append(seeds(result));
    result.medianSeed().symbols().forEach(symbol -> text.append(ComparisonText.of(symbol)));
    text.append(format("%n%s%n", result.verdict()));
    text.append(
        format(
            "%n  agents  %s (each a run for evaluate and signal)%n  curves  %s%n",
            directory.resolve(RunLayout.FOLDS), directory.resolve(RunLayout.CHAINED_ACCOUNT)));
    return text.toString();
  }

  private static TextTable folds(WalkForwardResult result) {
    TextTable table =
        new TextTable()
            .left("fold")
            .left("test bars")
            .right("worst")
            .right("median")
            .right("best")
            .right("buy-and-hold")
            .right("flat")
            .right("random");
    for (WalkForwardFold fold : result.folds()) {
      FoldResult first = result.of(fold).get(0);
      addRow(
          table,
          String.valueOf(fold.number()),
          fold.test().replace("/", " to "),
          result.spread(fold),
          first::totalReturn);
    }
    addRow(
        table,
        "all",
        "chained, each seed through all folds",
        result.spread(),
        result.medianSeed()::totalReturn);
    return table;
  }

  private static void addRow(
      TextTable table, String name, String bars, Spread agents, ToDoubleFunction<String> baseline) {
    table.row(
        name,
        bars,
        percent(agents.worst()),
        percent(agents.median()),
        percent(agents.best()),
        percent(baseline.applyAsDouble(BaselineComparison.BUY_AND_HOLD)),
        percent(baseline.applyAsDouble(BaselineComparison.FLAT)),
        percent(baseline.applyAsDouble(BaselineComparison.RANDOM)));
  }

  @SuppressWarnings("ReferenceEquality") // the median seed is one of the seeds
  private static TextTable seeds(WalkForwardResult result) {
    TextTable table = new TextTable().left("seed").right("chained").right("random").left("");
    for (SeedResult seed : result.seeds()) {
      table.row(
          String.valueOf(seed.seed()),
          percent(seed.totalReturn(BaselineComparison.AGENT)),
          percent(seed.totalReturn(BaselineComparison.RANDOM)),
          seed == result.medianSeed() ? "the median seed, below" : "");
    }
    return table;
  }

  private static String percent(double share) {
    return format("%+.2f %%", 100 * share);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
