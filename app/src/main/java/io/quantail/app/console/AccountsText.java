package io.quantail.app.console;

import io.quantail.app.report.LimitText;
import io.quantail.app.report.SheetAccount;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.CalendarReturns;
import io.quantail.market.performance.Performance;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.risk.EmpiricalCvar;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Several symbols as text: the account of all of them with every baseline, and one line for each
 * symbol; the report has the tables of each.
 */
final class AccountsText {
  private AccountsText() {}

  static String of(List<BaselineComparison> symbols, double alpha) {
    List<SheetAccount> accounts = SheetAccount.of(symbols);
    return together(accounts.get(0), symbols, alpha) + each(symbols);
  }

  private static String together(SheetAccount all, List<BaselineComparison> symbols, double alpha) {
    boolean annualised = all.agent().annualised();
    TextTable table =
        new TextTable()
            .left("")
            .right("return")
            .right(annualised ? "Sharpe" : "Sharpe of a bar")
            .right("drawdown")
            .right("CVaR " + LimitText.share(alpha))
            .right("weight");
    all.curves().forEach((policy, curve) -> table.row(cells(policy, curve, alpha)));
    long[] times = all.agent().times();
    return WrappedText.of(
            symbols.stream().map(BaselineComparison::symbol).collect(Collectors.joining(", "))
                + ": one account, divided equally at the start")
        + format(
            "%s to %s, %,d closes%n",
            CalendarReturns.day(times[1]),
            CalendarReturns.day(times[times.length - 1]),
            all.agent().bars())
        + table
        + ComparisonText.hindsight();
  }

  private static String[] cells(String policy, AccountCurve curve, double alpha) {
    double sharpe = curve.sharpe();
    return new String[] {
      ComparisonText.name(policy),
      change(curve.totalReturn()),
      Double.isFinite(sharpe) ? format("%.2f", sharpe) : "not defined",
      share(curve.maxDrawdown()),
      format("%.3f %%", 100 * EmpiricalCvar.empirical(curve.logReturns(), alpha, 0).cvar()),
      format(
          "%.2f",
          ReturnSeriesStatistics.mean(
              Arrays.copyOfRange(curve.exposures(), 1, curve.exposures().length)))
    };
  }

  private static String each(List<BaselineComparison> symbols) {
    TextTable table =
        new TextTable()
            .left("each alone")
            .left("from")
            .optional()
            .right("agent")
            .right("mean weight*")
            .right("buy-and-hold")
            .right("drawdown")
            .right("weight");
    for (BaselineComparison symbol : symbols) {
      Performance agent = symbol.agent().performance();
      table.row(
          symbol.symbol(),
          CalendarReturns.day(symbol.agent().result().series().times()[0]).toString(),
          change(agent.totalReturn()),
          total(symbol, BaselineComparison.EXPOSURE_MATCHED),
          total(symbol, BaselineComparison.BUY_AND_HOLD),
          share(agent.maxDrawdown()),
          format("%.2f", agent.exposure()));
    }
    return format("%n") + table;
  }

  private static String total(BaselineComparison symbol, String policy) {
    return symbol.has(policy) ? change(symbol.entry(policy).performance().totalReturn()) : "–";
  }

  private static String change(double share) {
    return format("%+.2f %%", 100 * share);
  }

  private static String share(double share) {
    return format("%.2f %%", 100 * share);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
