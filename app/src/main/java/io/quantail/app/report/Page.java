package io.quantail.app.report;

import io.quantail.io.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/**
 * Builder of one HTML page.
 *
 * <p>Texts are added through {@link Element#text} and {@link Element#attr}, which escape them;
 * chart data through {@link PageData}. A content security policy with hashes allows only the two
 * scripts of the page itself, so that it loads nothing and names cannot run as scripts.
 */
final class Page {
  private static final String CHARTS = "/META-INF/resources/webjars/echarts/5.5.0/";
  private static final String LIBRARY = resource(CHARTS + "echarts.common.min.js");
  private static final String SCRIPT = resource("report.js");
  private static final String STYLE = resource("report.css");

  /** Allows the two scripts of a page and nothing else. */
  static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
          + " form-action 'none'; script-src 'sha256-%s' 'sha256-%s'"
              .formatted(hash(LIBRARY), hash(SCRIPT));

  private final Document document;
  private final Element main;
  private final List<Chart> charts = new ArrayList<>();

  Page(String title) {
    document = Document.createShell("");
    document.outputSettings().prettyPrint(false).charset(StandardCharsets.UTF_8);
    Objects.requireNonNull(document.selectFirst("html")).attr("lang", "en");
    Element head = document.head();
    head.appendElement("meta").attr("charset", "utf-8");
    head.appendElement("meta")
        .attr("http-equiv", "Content-Security-Policy")
        .attr("content", POLICY);
    head.appendElement("meta")
        .attr("name", "viewport")
        .attr("content", "width=device-width, initial-scale=1");
    head.appendElement("meta").attr("name", "color-scheme").attr("content", "light dark");
    head.appendElement("title").text(title + " · Quantail");
    head.appendElement("style").appendChild(new DataNode(STYLE));
    main = document.body().appendElement("main");
  }

  /** The header above all sections. */
  Element header() {
    Element header = main.selectFirst("header");
    return header == null ? main.prependElement("header") : header;
  }

  /** What all sections are in. */
  Element main() {
    return main;
  }

  /** A new section at the end of the page. */
  Element section(String title) {
    return section(main, title);
  }

  /**
   * A part of the page with sections of its own. Of several accounts only one is shown at a time,
   * with all of its parts.
   *
   * @param account such as {@code symbol-0}
   * @param name of the account on its button
   */
  Element part(String account, String name) {
    return main.appendElement("div")
        .addClass("part")
        .attr("data-account", account)
        .attr("data-name", name);
  }

  static Element section(Element parent, String title) {
    Element section = parent.appendElement("section");
    section.appendElement("h2").text(title);
    return section;
  }

  /** Adds a chart; {@code caption} describes it, also for screen readers. */
  void chart(Element parent, String title, String caption, Chart chart) {
    chart(parent, "h3", title, caption, chart);
  }

  /** Adds a section at the end of the page that begins with a chart of the same title. */
  Element chartSection(String title, String caption, Chart chart) {
    return chartSection(main, title, caption, chart);
  }

  /** Adds a section that begins with a chart of the same title. */
  Element chartSection(Element parent, String title, String caption, Chart chart) {
    Element section = parent.appendElement("section");
    chart(section, "h2", title, caption, chart);
    return section;
  }

  private void chart(Element parent, String level, String title, String caption, Chart chart) {
    Element figure = parent.appendElement("figure");
    Element heading = figure.appendElement("div").addClass("chart-title");
    heading.appendElement(level).text(title);
    Element buttons = heading.appendElement("div").addClass("buttons");
    if (chart.logarithmic()) {
      button(buttons, "log scale", title + ": logarithmic scale")
          .addClass("logarithmic")
          .attr("aria-pressed", "false");
    }
    button(buttons, "CSV", title + ": download the data as CSV").addClass("save");
    button(buttons, "PNG", title + ": download the picture as PNG").addClass("save");
    figure
        .appendElement("div")
        .addClass("chart")
        .addClass("panels-" + (1 + chart.panels().size()))
        .attr("role", "img")
        .attr("aria-label", title + ". " + caption)
        .attr("data-chart", String.valueOf(charts.size()));
    if (!caption.isEmpty()) {
      figure.appendElement("figcaption").text(caption);
    }
    charts.add(chart);
  }

  private static Element button(Element parent, String text, String label) {
    return parent
        .appendElement("button")
        .attr("type", "button")
        .attr("aria-label", label)
        .text(text);
  }

  String html() {
    Element body = document.body();
    body.traverse(Page::keepUnits);
    body.appendElement("noscript")
        .text("The charts of this page need JavaScript; its tables do not.");
    body.appendElement("script")
        .attr("type", "application/json")
        .attr("id", "data")
        .appendChild(new DataNode(PageData.json(charts)));
    body.appendElement("script").appendChild(new DataNode(LIBRARY));
    body.appendElement("script").appendChild(new DataNode(SCRIPT));
    return "<!doctype html>\n"
        + Objects.requireNonNull(document.selectFirst("html")).outerHtml()
        + "\n";
  }

  /** A number and its percent sign stay on one line. */
  private static void keepUnits(Node node, int depth) {
    if (node instanceof TextNode text) {
      text.text(text.getWholeText().replace(" %", "\u00a0%"));
    }
  }

  private static String hash(String script) {
    return Base64.getEncoder().encodeToString(Sha256.bytes(script));
  }

  private static String resource(String name) {
    try (InputStream stream = Page.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
