package io.quantail.app;

import io.quantail.market.desk.Comparison;
import io.quantail.market.performance.Performance;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/** An agent beside its baselines, for a person; formulas are in {@code docs/trading.md}. */
final class ComparisonTable {
  private static final String ROW = "  %-13s %10s  %-28s %9s %9s %12s %10s %9s %8s%n";
  private static final Map<String, String> NAMES = Map.of(Comparison.BUY_AND_HOLD, "buy-and-hold");

  private ComparisonTable() {}

  static String of(Comparison symbol) {
    long[] times = symbol.agent().result().series().times();
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "%n%s, %s to %s, %,d bars%n",
            symbol.symbol(),
            Instant.ofEpochMilli(times[0]),
            Instant.ofEpochMilli(times[times.length - 1]),
            times.length));
    text.append(
        format(
            ROW,
            "",
            "return",
            "Sharpe, 95 % interval",
            "drawdown",
            "CVaR 5 %",
            "turnover/y",
            "cost drag",
            "exposure",
            "trades"));
    symbol.entries().forEach(entry -> text.append(row(entry)));
    return text.toString();
  }

  private static String row(Comparison.Entry entry) {
    Performance numbers = entry.performance();
    String name = entry.result().policy();
    return format(
        ROW,
        NAMES.getOrDefault(name, name) + (entry.result().ruined() ? " (ended)" : ""),
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
