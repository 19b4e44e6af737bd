package io.quantail.app.report;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.AccountCurve;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One account of a tear sheet: that of a symbol, or that of all symbols together.
 *
 * @param id in the address of the page
 * @param name in words
 * @param curves account of each policy, the agent first
 * @param market level of the market at each close of buy-and-hold
 * @param symbol passes of the symbol; null for several symbols together
 */
public record SheetAccount(
    String id,
    String name,
    Map<String, AccountCurve> curves,
    double[] market,
    @Nullable BaselineComparison symbol) {

  /** The accounts of a page: all symbols together if there are several, then each of them. */
  public static List<SheetAccount> of(List<BaselineComparison> symbols) {
    List<SheetAccount> accounts = new ArrayList<>();
    if (symbols.size() > 1) {
      accounts.add(together(symbols));
    }
    for (int i = 0; i < symbols.size(); i++) {
      accounts.add(of("symbol-" + i, symbols.get(i)));
    }
    return accounts;
  }

  private static SheetAccount of(String id, BaselineComparison symbol) {
    Map<String, AccountCurve> curves = new LinkedHashMap<>();
    symbol
        .entries()
        .forEach(entry -> curves.put(entry.result().policy(), AccountCurve.of(entry.result())));
    BacktestResult hold = PolicyStyles.hold(symbol).result();
    double[] prices = new double[hold.series().size() + 1];
    prices[0] = hold.start().price();
    System.arraycopy(hold.series().prices(), 0, prices, 1, prices.length - 1);
    return new SheetAccount(id, symbol.symbol(), curves, prices, symbol);
  }

  /** The market of several symbols is buy-and-hold of all of them. */
  private static SheetAccount together(List<BaselineComparison> symbols) {
    Map<String, AccountCurve> curves = new LinkedHashMap<>();
    for (BaselineComparison.Entry entry : symbols.get(0).entries()) {
      String policy = entry.result().policy();
      if (symbols.stream().allMatch(symbol -> symbol.has(policy))) {
        curves.put(policy, combined(BaselineComparison.results(symbols, policy)));
      }
    }
    double[] market = Objects.requireNonNull(curves.get(BaselineComparison.BUY_AND_HOLD)).equity();
    return new SheetAccount("all", "All symbols", curves, market, null);
  }

  /** The account of a policy that is divided equally among the symbols at the start. */
  static AccountCurve combined(List<BacktestResult> passes) {
    CombinedAccount account = CombinedAccount.of(passes);
    return AccountCurve.of(passes, account.times(), account.equity(), account.barsPerYear());
  }

  /**
   * The same account as one of a run among several.
   *
   * @param number of the run
   */
  SheetAccount of(String run, int number) {
    return new SheetAccount("run-" + number + "-" + id, run + ", " + name, curves, market, symbol);
  }

  /** Name of a row of a table that has such a row for each account. */
  static String row(String name, SheetAccount account, List<SheetAccount> accounts) {
    return accounts.size() == 1 ? name : name + ", " + account.name();
  }

  /** The same account under another name. */
  SheetAccount named(String other) {
    return new SheetAccount(id, other, curves, market, symbol);
  }

  /** The agent's account. */
  public AccountCurve agent() {
    return Objects.requireNonNull(curves.get(BaselineComparison.AGENT));
  }

  AccountCurve hold() {
    return Objects.requireNonNull(curves.get(BaselineComparison.BUY_AND_HOLD));
  }

  /** The agent's mean weight held all the time; null if it was not traded. */
  @Nullable AccountCurve meanWeight() {
    return curves.get(BaselineComparison.EXPOSURE_MATCHED);
  }
}
