package io.quantail.app.console;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.Performance;
import java.time.Instant;
import java.util.Locale;

/** An agent and its baselines on one symbol as text; formulas are in {@code docs/trading.md}. */
final class ComparisonText {
  private ComparisonText() {}

  static String of(BaselineComparison symbol) {
    long[] times = symbol.agent().result().series().times();
    TextTable table =
        new TextTable()
            .left("")
            .right("return")
            .left("Sharpe, 95 % interval")
            .right("drawdown")
            .right("CVaR 5 %")
            .right("turnover/y")
            .right("cost drag")
            .right("exposure")
            .right("trades");
    symbol.entries().forEach(entry -> addRow(table, entry));
    return format(
            "%n%s, %s to %s, %,d bars%n",
            symbol.symbol(),
            Instant.ofEpochMilli(times[0]),
            Instant.ofEpochMilli(times[times.length - 1]),
            times.length)
        + table;
  }

  private static void addRow(TextTable table, BaselineComparison.Entry entry) {
    Performance numbers = entry.performance();
    table.row(
        BaselineComparison.title(entry.result().policy())
            + (entry.result().ruined() ? " (ended)" : ""),
        format("%+.2f %%", 100 * numbers.totalReturn()),
        sharpe(numbers),
        format("%.2f %%", 100 * numbers.maxDrawdown()),
        format("%.3f %%", 100 * numbers.cvar()),
        format("%,.0f", numbers.annualTurnover()),
        format("%.2f %%", 100 * numbers.costDrag()),
        format("%.2f", numbers.exposure()),
        format("%,d", numbers.trades()));
  }

  private static String sharpe(Performance numbers) {
    if (Double.isNaN(numbers.sharpe())) {
      return "not defined";
    }
    return format(
        "%.2f [%.2f, %.2f]",
        numbers.sharpe(), numbers.sharpeInterval().low(), numbers.sharpeInterval().high());
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
