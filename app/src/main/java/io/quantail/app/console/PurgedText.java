package io.quantail.app.console;

import io.quantail.app.report.PurgedLimit;
import io.quantail.market.walkforward.PathNumbers;
import io.quantail.market.walkforward.PurgedResult;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import io.quantail.market.walkforward.PurgedResult.Range;
import io.quantail.run.RunLayout;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of a purged cross-validation as text: every path, their range, and the verdict. */
public final class PurgedText {
  /** More paths are in the files. */
  private static final int MOST_PATHS = 30;

  private PurgedText() {}

  /**
   * The text.
   *
   * @param limit null if there is none
   */
  public static String of(Path directory, PurgedResult result, @Nullable PurgedLimit limit) {
    StringBuilder text = new StringBuilder();
    text.append(
        format("%n")
            + WrappedText.of(
                format(
                    "Purged cross-validation, groups: %d, tested: %d, folds: %d, seeds: %d",
                    result.groups(),
                    result.folds().get(0).tested().size(),
                    result.folds().size(),
                    result.seeds()))
            + format("Out-of-sample returns net of costs%n%n"));
    text.append(paths(result, limit));
    if (result.paths().size() > MOST_PATHS) {
      text.append(
          WrappedText.of(
              format(
                  "%d more paths in %s",
                  result.paths().size() - MOST_PATHS,
                  directory.resolve(RunLayout.WALK_FORWARD_RESULT)),
              "  ",
              "  "));
    }
    text.append(format("%n")).append(WrappedText.of(result.verdict()));
    text.append(WrappedText.of(PurgedResult.CAVEAT));
    if (limit != null) {
      text.append(format("%nThe path with the median return%n"))
          .append(EvaluationText.limit(limit.ofMedian(), limit.forecasts()))
          .append(LimitCostText.of("fold", limit.cost()));
    }
    return text.append(WalkForwardText.files(directory, RunLayout.PATHS)).toString();
  }

  private static TextTable paths(PurgedResult result, @Nullable PurgedLimit limit) {
    TextTable table =
        new TextTable()
            .left("seed")
            .left("path")
            .right("return")
            .right("Sharpe")
            .right("max drawdown")
            .right("CVaR %s".formatted(result.level()))
            .left(limit == null ? "" : "limit");
    for (int i = 0; i < Math.min(MOST_PATHS, result.paths().size()); i++) {
      PathResult path = result.paths().get(i);
      addRow(
          table,
          String.valueOf(path.seed()),
          String.valueOf(path.path()),
          path.numbers(),
          limit == null ? "" : Style.status(limit.paths().get(i).status().id()));
    }
    table.space();
    Range returns = result.range(PathNumbers::totalReturn);
    Range sharpe = result.range(PathNumbers::sharpe);
    Range drawdown = result.range(PathNumbers::maxDrawdown);
    Range cvar = result.range(PathNumbers::cvar);
    addRow(table, "lowest", returns.lowest(), sharpe.lowest(), drawdown.lowest(), cvar.lowest());
    addRow(table, "median", returns.median(), sharpe.median(), drawdown.median(), cvar.median());
    addRow(
        table, "highest", returns.highest(), sharpe.highest(), drawdown.highest(), cvar.highest());
    addRow(table, "buy-and-hold", "", result.buyAndHold().numbers(), "");
    return table;
  }

  private static void addRow(
      TextTable table, String name, double change, double sharpe, double drawdown, double cvar) {
    addRow(table, name, "", new PathNumbers(change, sharpe, drawdown, cvar), "");
  }

  private static void addRow(
      TextTable table, String seed, String path, PathNumbers numbers, String limit) {
    table.row(
        seed,
        path,
        format("%+.2f %%", 100 * numbers.totalReturn()),
        Double.isNaN(numbers.sharpe()) ? "not defined" : format("%.2f", numbers.sharpe()),
        format("%.2f %%", 100 * numbers.maxDrawdown()),
        format("%+.3f %%", 100 * numbers.cvar()),
        limit);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
