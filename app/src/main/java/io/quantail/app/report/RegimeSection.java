package io.quantail.app.report;

import io.quantail.market.performance.MarketRegime;
import java.util.List;
import org.jsoup.nodes.Element;

/** Agent against buy-and-hold by volatility and trend of the market; none of too few bars. */
final class RegimeSection {
  private RegimeSection() {}

  static void add(Element parent, SheetAccount account) {
    List<MarketRegime> regimes = MarketRegime.of(account.agent(), account.hold(), account.market());
    if (regimes.isEmpty()) {
      return;
    }
    Element section = Page.section(parent, "Regimes");
    HtmlTable table =
        new HtmlTable(
            section,
            List.of("market before the bar", "bars", "mean weight", "agent", "buy-and-hold"));
    for (MarketRegime regime : regimes) {
      Element row =
          table.row(
              regime.name(),
              List.of(NumberText.count(regime.bars()), NumberText.share(regime.exposure())));
      CalendarSection.shaded(row, regime.account(), NumberText.change(regime.account()));
      CalendarSection.shaded(row, regime.hold(), NumberText.change(regime.hold()));
    }
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "Terciles of the market's volatility over %d bars and sign of its return over %d, both before the bar; returns are compounded over the bars of a regime."
                .formatted(MarketRegime.VOLATILITY_BARS, MarketRegime.TREND_BARS));
  }
}
