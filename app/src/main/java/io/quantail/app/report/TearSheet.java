package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.SymbolForecast;
import io.quantail.market.performance.Performance;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Element;

/**
 * What an agent did on a market, in charts and tables: all symbols together if there are several,
 * then each of them. The pages of training, evaluation, walk-forward and purged cross-validation
 * share it.
 */
final class TearSheet {
  private final Page page;
  private final RiskConfig risk;
  private final long seed;
  private final List<SheetAccount> accounts;

  /**
   * Prepares a sheet.
   *
   * @param seed of the bootstrap
   */
  TearSheet(Page page, RiskConfig risk, long seed, List<BaselineComparison> symbols) {
    this.page = page;
    this.risk = risk;
    this.seed = seed;
    this.accounts = SheetAccount.of(symbols);
  }

  /** The account of the headline: the only symbol's, or that of all symbols together. */
  SheetAccount whole() {
    return accounts.get(0);
  }

  /**
   * Adds a part for each account.
   *
   * @param forecasts of the next bar on each symbol; empty if there are none
   */
  void add(List<SymbolForecast> forecasts) {
    for (SheetAccount account : accounts) {
      Element part = part(account);
      BaselineComparison symbol = account.symbol();
      if (symbol != null) {
        int index = accounts.size() == 1 ? 0 : accounts.indexOf(account) - 1;
        PriceSection.add(
            page, part, symbol, forecasts.isEmpty() ? null : forecasts.get(index), account.id());
      }
      EquitySection.add(page, part, account, seed);
      if (symbol == null) {
        symbols(part);
      }
      CalendarSection.add(part, account);
      RollingSection.add(page, part, account);
      DistributionSection.add(page, part, account, risk);
      if (symbol != null) {
        new PositionSection(page, part, symbol).add(account.id());
      }
      RegimeSection.add(part, account);
      if (symbol != null) {
        NumbersSection.add(part, symbol);
      }
    }
  }

  /** A further part of a symbol, shown together with its first one. */
  Element details(int symbol) {
    return part(accounts.get(accounts.size() == 1 ? 0 : symbol + 1));
  }

  private Element part(SheetAccount account) {
    Element part = page.part(account.id(), account.name());
    if (accounts.size() > 1) {
      part.appendElement("h2").addClass("symbol").text(account.name());
    }
    return part;
  }

  private void symbols(Element parent) {
    Element section = Page.section(parent, "Symbols");
    HtmlTable table =
        new HtmlTable(
            section,
            List.of(
                "symbol",
                "agent",
                "buy-and-hold",
                "Sharpe ratio",
                "max drawdown",
                "mean weight",
                "cost drag",
                "fills"));
    for (SheetAccount account : accounts.subList(1, accounts.size())) {
      BaselineComparison symbol = Objects.requireNonNull(account.symbol());
      Performance agent = symbol.agent().performance();
      Element row =
          table.row(
              "",
              List.of(
                  NumberText.change(agent.totalReturn()),
                  NumberText.change(PolicyStyles.hold(symbol).performance().totalReturn()),
                  NumberText.decimal(agent.sharpe()),
                  NumberText.share(agent.maxDrawdown()),
                  NumberText.share(agent.exposure()),
                  NumberText.share(agent.costDrag()),
                  NumberText.count(agent.trades())));
      Objects.requireNonNull(row.selectFirst("th"))
          .appendElement("a")
          .attr("href", "#" + account.id())
          .text(account.name());
    }
  }
}
