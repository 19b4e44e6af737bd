package io.quantail.app.report;

import io.quantail.market.performance.CalendarReturns;
import java.time.LocalDate;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Element;

/** Returns by month, or by day when the bars cover less than two months. */
final class CalendarSection {
  private static final int MOST_DAYS = 60;

  private CalendarSection() {}

  static void add(Element parent, SheetAccount account) {
    long[] times = account.agent().times();
    LocalDate first = CalendarReturns.day(times[1]);
    LocalDate last = CalendarReturns.day(times[times.length - 1]);
    if (ChronoUnit.DAYS.between(first, last) < MOST_DAYS) {
      daily(Page.section(parent, "Returns by day"), account);
    } else {
      monthly(Page.section(parent, "Returns by month"), account);
    }
  }

  private static void daily(Element section, SheetAccount account) {
    Map<LocalDate, Double> agent = CalendarReturns.of(account.agent(), day -> day);
    Map<LocalDate, Double> hold = CalendarReturns.of(account.hold(), day -> day);
    HtmlTable table =
        new HtmlTable(section, List.of("day (UTC)", "agent", "buy-and-hold", "difference"));
    hold.forEach(
        (day, held) -> {
          Element row = table.row(day.toString());
          double own = agent.getOrDefault(day, Double.NaN);
          shaded(row, own, NumberText.change(own));
          shaded(row, held, NumberText.change(held));
          shaded(row, own - held, NumberText.change(own - held));
        });
  }

  private static void monthly(Element section, SheetAccount account) {
    List<String> head = new ArrayList<>(List.of("%"));
    for (Month month : Month.values()) {
      head.add(month.getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
    }
    head.addAll(List.of("year", "buy-and-hold"));
    HtmlTable table = new HtmlTable(section, head).months();
    Map<LocalDate, Double> months =
        CalendarReturns.of(account.agent(), day -> day.withDayOfMonth(1));
    Map<LocalDate, Double> years = CalendarReturns.of(account.agent(), day -> day.withDayOfYear(1));
    CalendarReturns.of(account.hold(), day -> day.withDayOfYear(1))
        .forEach(
            (year, held) -> {
              Element row = table.row(String.valueOf(year.getYear()));
              for (Month month : Month.values()) {
                points(row, months.getOrDefault(year.withMonth(month.getValue()), Double.NaN));
              }
              points(row, years.getOrDefault(year, Double.NaN));
              points(row, held);
            });
  }

  private static void points(Element row, double value) {
    shaded(row, value, NumberText.points(value));
  }

  /** Blue for gains, orange for losses; stronger for larger ones, full at ten percent. */
  static void shaded(Element row, double value, String text) {
    Element cell = row.appendElement("td");
    if (Double.isNaN(value)) {
      return;
    }
    cell.text(text);
    if (value != 0) {
      long strength = Math.round(40 * Math.min(1, Math.sqrt(Math.abs(value) / 0.1)));
      cell.addClass(value > 0 ? "gain" : "loss").attr("style", "--strength:" + strength + "%");
    }
  }
}
