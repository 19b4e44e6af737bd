package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.market.evaluation.AccountVerdict;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.TailForecast;
import io.quantail.market.performance.HoldingTimes;
import io.quantail.market.performance.Performance;
import io.quantail.run.evaluation.LimitResult;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * What an agent did on a market, in charts and tables: all symbols together if there are several,
 * then each of them. The pages of training, evaluation, walk-forward, purged cross-validation and
 * comparison share it.
 */
final class TearSheet {
  private final Page page;
  private final RiskConfig risk;
  private final long seed;
  private final List<BaselineComparison> symbols;
  private final List<SheetAccount> accounts;
  private final boolean named;

  /**
   * Prepares the sheet of a page.
   *
   * @param seed of the bootstrap
   */
  TearSheet(Page page, RiskConfig risk, long seed, List<BaselineComparison> symbols) {
    this.page = page;
    this.risk = risk;
    this.seed = seed;
    this.symbols = symbols;
    this.accounts = SheetAccount.of(symbols);
    this.named = accounts.size() > 1;
  }

  /**
   * Prepares the sheet of one of several runs.
   *
   * @param run the run
   * @param number of the run, from 1 on
   */
  TearSheet(Page page, ComparedRun run, int number) {
    this.page = page;
    this.risk = run.risk();
    this.seed = run.seed();
    this.symbols = run.symbols();
    List<SheetAccount> own = SheetAccount.of(symbols);
    this.accounts =
        own.size() == 1
            ? List.of(own.get(0).of(run.name(), number).named(run.name()))
            : own.stream().map(account -> account.of(run.name(), number)).toList();
    this.named = true;
  }

  /** The account of the headline: the only symbol's, or that of all symbols together. */
  SheetAccount whole() {
    return accounts.get(0);
  }

  /**
   * Adds what was promised, what was kept, and whether it was skill, to the top of the page.
   *
   * @param limit of the account; null if the run has none
   * @param verdict on the account; null if there is none
   * @param count how often the bars were evaluated, in words; null if the ledger was not asked
   */
  void header(
      @Nullable LimitResult limit, @Nullable AccountVerdict verdict, @Nullable String count) {
    SheetHeader.add(
        page.header(),
        whole(),
        risk,
        new SheetHeader.Facts(
            limit, verdict, AccountVerdict.drawdownYear(symbols).orElse(null), count));
  }

  /**
   * Adds a part for each account.
   *
   * @param forecasts of the next bar on each symbol; empty if there are none
   */
  void add(List<TailForecast> forecasts) {
    accounts.forEach(account -> add(account, forecasts));
  }

  /** Adds a part for the account of the headline alone. */
  void addWhole(List<TailForecast> forecasts) {
    add(whole(), forecasts);
  }

  private void add(SheetAccount account, List<TailForecast> forecasts) {
    Element part = part(account);
    BaselineComparison symbol = account.symbol();
    if (symbol != null) {
      TailForecast forecast = forecasts.isEmpty() ? null : forecasts.get(symbols.indexOf(symbol));
      PriceSection.add(page, part, symbol, forecast, account.id());
    }
    EquitySection.add(page, part, account, seed);
    if (symbol == null) {
      symbols(part);
    }
    CalendarSection.add(part, List.of(account));
    RollingSection.add(page, part, account);
    DistributionSection.add(page, part, account, risk);
    if (symbol != null) {
      new PositionSection(page, part, symbol).add(account.id());
    }
    RegimeSection.add(part, List.of(account));
    if (symbol != null) {
      NumbersSection.add(part, symbol);
    }
  }

  /** A further part of a symbol, shown together with its first one. */
  Element details(int symbol) {
    return part(accounts.get(accounts.size() == 1 ? 0 : symbol + 1));
  }

  private Element part(SheetAccount account) {
    Element part = page.part(account.id(), account.name());
    if (named) {
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
                "turnover per year",
                "fills",
                "median holding, bars"));
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
                  NumberText.decimal(agent.annualTurnover()),
                  PolicyStyles.fills(symbol.agent()),
                  NumberText.bars(HoldingTimes.of(symbol.agent().result()).medianBars())));
      Objects.requireNonNull(row.selectFirst("th"))
          .appendElement("a")
          .attr("href", "#" + account.id())
          .text(symbol.symbol());
    }
  }
}
