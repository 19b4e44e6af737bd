package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.execution.FilledOrder;
import java.util.List;
import org.jsoup.nodes.Element;

/** A table of the agent's last filled orders. */
final class TradeSection {
  private static final int MOST = 300;

  private TradeSection() {}

  static void add(Element parent, BaselineComparison comparison) {
    List<FilledOrder> trades = comparison.agent().result().trades();
    Element section = Page.section(parent, "Trades");
    if (trades.isEmpty()) {
      section.appendElement("p").text("The agent did not trade.");
      return;
    }
    int left = Math.max(0, trades.size() - MOST);
    section
        .appendElement("p")
        .addClass("note")
        .text(
            left == 0
                ? "All %s filled orders of the agent. Click a column head to sort."
                    .formatted(NumberText.count(trades.size()))
                : "The last %s of %s filled orders; %s earlier ones are omitted; the CSV file of trades next to this page has all. Click a column head to sort."
                    .formatted(
                        NumberText.count(MOST),
                        NumberText.count(trades.size()),
                        NumberText.count(left)));
    Element box = section.appendElement("div").addClass("tall");
    HtmlTable table =
        new HtmlTable(
                box,
                List.of(
                    "filled at (UTC)",
                    "side",
                    "units",
                    "money",
                    "open",
                    "fill",
                    "slippage, bps",
                    "fee"))
            .sortable();
    trades.subList(left, trades.size()).forEach(trade -> row(table, trade));
  }

  private static void row(HtmlTable table, FilledOrder trade) {
    Element row = table.row(NumberText.time(trade.time()));
    row.appendElement("td").text(trade.units() > 0 ? "buy" : "sell");
    HtmlTable.cell(row, NumberText.general(Math.abs(trade.units())), Math.abs(trade.units()));
    HtmlTable.cell(row, NumberText.decimal(trade.notional()), trade.notional());
    HtmlTable.cell(row, NumberText.general(trade.reference()), trade.reference());
    HtmlTable.cell(row, NumberText.general(trade.fill()), trade.fill());
    HtmlTable.cell(row, NumberText.decimal(trade.slippageBps()), trade.slippageBps());
    HtmlTable.cell(row, NumberText.decimal(trade.fee()), trade.fee());
  }
}
