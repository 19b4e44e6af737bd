package io.quantail.app.report;

import java.util.List;
import org.jsoup.nodes.Element;

/** An HTML table that scrolls horizontally on a small screen. */
final class HtmlTable {
  /** Tables with fewer columns do not use the whole width. */
  private static final int FEW = 4;

  /** The cells of tables with as many columns may have several lines. */
  private static final int MANY = 8;

  private final Element table;
  private final Element body;

  /** Adds a table whose first column is text and whose other columns are numbers. */
  HtmlTable(Element parent, List<String> head) {
    table = parent.appendElement("div").addClass("scroll").appendElement("table");
    if (head.size() <= FEW) {
      table.addClass("few");
    } else if (head.size() >= MANY) {
      table.addClass("many");
    }
    Element row = table.appendElement("thead").appendElement("tr");
    head.forEach(text -> row.appendElement("th").attr("scope", "col").text(text));
    body = table.appendElement("tbody");
  }

  /** Makes the table sortable by a click on a column head. */
  HtmlTable sortable() {
    table.addClass("sortable");
    return this;
  }

  /** Makes the columns narrow, so that twelve months fit. */
  HtmlTable months() {
    table.addClass("months");
    return this;
  }

  /** Aligns all columns as text. */
  HtmlTable texts() {
    table.removeClass("few").addClass("texts");
    return this;
  }

  /** Aligns the second column as text and allows line breaks in it. */
  HtmlTable secondIsText() {
    table.addClass("second-text");
    return this;
  }

  Element row(String name) {
    Element row = body.appendElement("tr");
    row.appendElement("th").attr("scope", "row").text(name);
    return row;
  }

  Element row(String name, List<String> cells) {
    Element row = row(name);
    cells.forEach(cell -> row.appendElement("td").text(cell));
    return row;
  }

  /** Adds a cell that is sorted by value, not by text. */
  static Element cell(Element row, String text, double value) {
    return row.appendElement("td").text(text).attr("data-value", String.valueOf(value));
  }
}
