package io.quantail.app.console;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.Performance;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/**
 * An agent and its baselines on one symbol as text; formulas are in {@code docs/guides/markets.md},
 * more numbers in the report.
 */
final class ComparisonText {
  private static final Map<String, String> NAMES =
      Map.of(
          BaselineComparison.EXPOSURE_MATCHED, "own mean weight*",
          BaselineComparison.VOLATILITY_MATCHED, "own volatility*",
          BaselineComparison.ES_TARGET, "ES target");

  /** The line below a table of policies. */
  static String hindsight() {
    return WrappedText.of(
        "* in hindsight: constant mean weight and volatility of the agent's account", "  ", "    ");
  }

  private ComparisonText() {}

  static String of(BaselineComparison symbol) {
    Performance agent = symbol.agent().performance();
    long[] times = symbol.agent().result().series().times();
    TextTable table = new TextTable().left("").right("return");
    if (agent.annualised()) {
      table.right("Sharpe, 95 % interval").right("drawdown").right("CVaR 5 %").right("weight");
    } else {
      table.right("drawdown").right("CVaR 5 %").right("costs").right("weight").right("trades");
    }
    symbol.entries().forEach(entry -> table.row(cells(entry, agent.annualised())));
    return format("%n")
        + WrappedText.of(
            format(
                "%s, %s to %s, %,d bars",
                symbol.symbol(),
                Instant.ofEpochMilli(times[0]),
                Instant.ofEpochMilli(times[times.length - 1]),
                times.length))
        + table
        + hindsight()
        + (agent.annualised()
            ? ""
            : format("  not annualised: %.1f days, fewer than 90%n", agent.days()));
  }

  private static String[] cells(BaselineComparison.Entry entry, boolean annualised) {
    Performance numbers = entry.performance();
    String name = name(entry.result().policy()) + (entry.result().ruined() ? " (ended)" : "");
    String total = format("%+.2f %%", 100 * numbers.totalReturn());
    String drawdown = format("%.2f %%", 100 * numbers.maxDrawdown());
    String cvar = format("%.3f %%", 100 * numbers.cvar());
    String weight = format("%.2f", numbers.exposure());
    return annualised
        ? new String[] {name, total, sharpe(numbers), drawdown, cvar, weight}
        : new String[] {
          name,
          total,
          drawdown,
          cvar,
          format("%.2f %%", 100 * numbers.costDrag()),
          weight,
          format("%,d", numbers.trades())
        };
  }

  /** The name of a policy in a narrow table. */
  static String name(String policy) {
    return NAMES.getOrDefault(policy, BaselineComparison.title(policy));
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
