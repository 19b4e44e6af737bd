package io.quantail.app.report;

import java.util.List;
import org.jsoup.nodes.Element;

/** A table that can be scrolled sideways on a small screen. */
final class Table {
  /** Few columns look lost on the whole width. */
  private static final int FEW = 4;

  private final Element table;
  private final Element body;

  /** The first column is text, all others are numbers. */
  Table(Element parent, List<String> head) {
    table = parent.appendElement("div").addClass("scroll").appendElement("table");
    if (head.size() <= FEW) {
      table.addClass("few");
    }
    Element row = table.appendElement("thead").appendElement("tr");
    head.forEach(text -> row.appendElement("th").attr("scope", "col").text(text));
    body = table.appendElement("tbody");
  }

  /** Lets the reader sort it by a click on a head. */
  Table sortable() {
    table.addClass("sortable");
    return this;
  }

  /** Columns hold texts, not numbers. */
  Table texts() {
    table.removeClass("few").addClass("texts");
    return this;
  }

  /** The second column holds texts, which may be broken where there is little room. */
  Table secondIsText() {
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

  /** Adds a cell that is sorted by its value, not by its text. */
  static Element cell(Element row, String text, double value) {
    return row.appendElement("td").text(text).attr("data-value", String.valueOf(value));
  }
}
