package io.quantail.app.report;

import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.MarketRegime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jsoup.nodes.Element;

/** Agent against buy-and-hold by volatility and trend of the market; none of too few bars. */
final class RegimeSection {
  private RegimeSection() {}

  static void add(Element parent, SheetAccount account) {
    List<MarketRegime> regimes = MarketRegime.of(account.agent(), account.hold(), account.market());
    if (regimes.isEmpty()) {
      return;
    }
    AccountCurve meanWeight = account.meanWeight();
    List<MarketRegime> held =
        meanWeight == null
            ? List.of()
            : MarketRegime.of(account.agent(), meanWeight, account.market());
    Element section = Page.section(parent, "Regimes");
    List<String> head =
        new ArrayList<>(
            List.of("market before the bar", "bars", "mean weight", "agent", "buy-and-hold"));
    if (meanWeight != null) {
      head.add("agent's mean weight (hindsight)");
    }
    HtmlTable table = new HtmlTable(section, head);
    for (int i = 0; i < regimes.size(); i++) {
      MarketRegime regime = regimes.get(i);
      Element row =
          table.row(
              regime.name(),
              List.of(
                  NumberText.count(regime.bars()),
                  NumberText.share(regime.exposure()),
                  NumberText.change(regime.account()),
                  NumberText.change(regime.hold())));
      if (meanWeight != null) {
        row.appendElement("td").text(NumberText.change(held.get(i).hold()));
      }
    }
    section
        .appendElement("p")
        .addClass("note")
        .text(
            String.format(
                Locale.ROOT,
                "Terciles of the market's volatility over %d bars and sign of its return over %d, both before the bar; returns are compounded over the bars of a regime.",
                MarketRegime.VOLATILITY_BARS,
                MarketRegime.TREND_BARS));
  }
}
