package io.quantail.app.report;

import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.CalendarReturns;
import java.time.LocalDate;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.jsoup.nodes.Element;

/** Returns by month, or by day when the bars cover less than two months. */
final class CalendarSection {
  private static final int MOST_DAYS = 60;

  private CalendarSection() {}

  /**
   * Adds the section.
   *
   * @param accounts one, or one of each run; the rows of a period follow each other
   */
  static void add(Element parent, List<SheetAccount> accounts) {
    if (accounts.stream().allMatch(account -> days(account.agent()) < MOST_DAYS)) {
      daily(Page.section(parent, "Returns by day"), accounts);
    } else {
      monthly(Page.section(parent, "Returns by month"), accounts);
    }
  }

  private static long days(AccountCurve account) {
    long[] times = account.times();
    return ChronoUnit.DAYS.between(
        CalendarReturns.day(times[1]), CalendarReturns.day(times[times.length - 1]));
  }

  /**
   * A row of a table.
   *
   * @param first day of its period
   * @param name of the row
   * @param returns in it
   */
  private record Line(LocalDate first, String name, List<Double> returns) {}

  private static void daily(Element section, List<SheetAccount> accounts) {
    List<Line> lines = new ArrayList<>();
    for (SheetAccount account : accounts) {
      Map<LocalDate, Double> agent = CalendarReturns.of(account.agent(), day -> day);
      CalendarReturns.of(account.hold(), day -> day)
          .forEach(
              (day, held) -> {
                double own = agent.getOrDefault(day, Double.NaN);
                String name = SheetAccount.row(day.toString(), account, accounts);
                lines.add(new Line(day, name, List.of(own, held, own - held)));
              });
    }
    List<String> head = List.of("day (UTC)", "agent", "buy-and-hold", "difference");
    fill(new HtmlTable(section, head), lines, NumberText::change);
  }

  private static void monthly(Element section, List<SheetAccount> accounts) {
    List<Line> lines = new ArrayList<>();
    for (SheetAccount account : accounts) {
      Map<LocalDate, Double> months =
          CalendarReturns.of(account.agent(), day -> day.withDayOfMonth(1));
      Map<LocalDate, Double> years =
          CalendarReturns.of(account.agent(), day -> day.withDayOfYear(1));
      CalendarReturns.of(account.hold(), day -> day.withDayOfYear(1))
          .forEach(
              (year, held) -> {
                List<Double> returns = new ArrayList<>();
                for (Month month : Month.values()) {
                  returns.add(months.getOrDefault(year.withMonth(month.getValue()), Double.NaN));
                }
                returns.add(years.getOrDefault(year, Double.NaN));
                returns.add(held);
                String name = SheetAccount.row(String.valueOf(year.getYear()), account, accounts);
                lines.add(new Line(year, name, returns));
              });
    }
    List<String> head = new ArrayList<>(List.of("%"));
    for (Month month : Month.values()) {
      head.add(month.getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
    }
    head.addAll(List.of("year", "buy-and-hold"));
    fill(new HtmlTable(section, head).months(), lines, NumberText::points);
  }

  /** Adds the rows in order of time; those of a period are in the order of the accounts. */
  private static void fill(HtmlTable table, List<Line> lines, DoubleFunction<String> text) {
    lines.stream()
        .sorted(Comparator.comparing(Line::first))
        .forEach(
            line -> {
              Element row = table.row(line.name());
              line.returns().forEach(value -> shaded(row, value, text.apply(value)));
            });
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
