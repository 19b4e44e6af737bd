package io.quantail.app.report;

import java.util.List;
import org.jsoup.nodes.Element;

/** The report on agents of several folds and seeds, such as those of a walk forward. */
public final class SpreadReport {
  private SpreadReport() {}

  /**
   * The whole page.
   *
   * @param name of the directory
   * @param verdict one sentence with the numbers
   * @param good whether the agents beat buy-and-hold and made money
   * @param spread the results
   * @param settings of the runs; those that are not the default come first
   * @param origin what else the numbers depend on: data fingerprints, versions
   */
  public static String html(
      String name,
      String verdict,
      boolean good,
      Spread spread,
      List<Setting> settings,
      List<Setting> origin) {
    Page page = new Page(name);
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail walk-forward report · " + name);
    header.appendElement("h1").addClass(good ? "good" : "bad").text(verdict);
    Element all = page.part("spread");
    SpreadSection.add(page, all, spread);
    RunSections.settings(page.section("Where this comes from"), origin, settings);
    return page.html();
  }
}
