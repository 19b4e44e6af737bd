package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.MarketRegime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Element;

/** Agent against buy-and-hold by volatility and trend of the market; none of too few bars. */
final class RegimeSection {
  private RegimeSection() {}

  /**
   * Adds the section.
   *
   * @param accounts one, or one of each run; the rows of a regime follow each other
   */
  static void add(Element parent, List<SheetAccount> accounts) {
    Map<String, Map<SheetAccount, List<String>>> regimes = new LinkedHashMap<>();
    accounts.forEach(account -> collect(account, regimes));
    if (regimes.isEmpty()) {
      return;
    }
    Element section = Page.section(parent, "Regimes");
    HtmlTable table =
        new HtmlTable(
            section,
            List.of(
                "market before the bar",
                "bars",
                "mean weight",
                "agent",
                "buy-and-hold",
                BaselineComparison.title(BaselineComparison.EXPOSURE_MATCHED)));
    regimes.forEach(
        (regime, rows) ->
            rows.forEach(
                (account, cells) -> table.row(SheetAccount.row(regime, account, accounts), cells)));
    section
        .appendElement("p")
        .addClass("note")
        .text(
            String.format(
                Locale.ROOT,
                "Terciles of the market's volatility over %d bars and sign of its return over %d,"
                    + " both before the bar; returns are compounded over the bars of a regime.",
                MarketRegime.VOLATILITY_BARS,
                MarketRegime.TREND_BARS));
  }

  private static void collect(
      SheetAccount account, Map<String, Map<SheetAccount, List<String>>> rows) {
    AccountCurve agent = account.agent();
    AccountCurve meanWeight = account.meanWeight();
    List<MarketRegime> regimes = MarketRegime.of(agent, account.hold(), account.market());
    List<MarketRegime> held =
        meanWeight == null ? List.of() : MarketRegime.of(agent, meanWeight, account.market());
    for (int i = 0; i < regimes.size(); i++) {
      MarketRegime regime = regimes.get(i);
      rows.computeIfAbsent(regime.name(), any -> new LinkedHashMap<>())
          .put(
              account,
              List.of(
                  NumberText.count(regime.bars()),
                  NumberText.share(regime.exposure()),
                  NumberText.change(regime.account()),
                  NumberText.change(regime.hold()),
                  i < held.size() ? NumberText.change(held.get(i).hold()) : "–"));
    }
  }
}
