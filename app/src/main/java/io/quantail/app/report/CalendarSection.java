package io.quantail.app.report;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jsoup.nodes.Element;

/** Returns by month, or by day when the bars cover little more than a month. */
final class CalendarSection {
  private static final int MOST_DAYS = 45;

  private CalendarSection() {}

  static void add(Element parent, BaselineComparison comparison) {
    long[] times = comparison.agent().result().series().times();
    long days = ChronoUnit.DAYS.between(day(times[0]), day(times[times.length - 1]));
    if (days < MOST_DAYS) {
      daily(Page.section(parent, "Returns by day"), comparison);
    } else {
      monthly(Page.section(parent, "Returns by month"), comparison);
    }
  }

  /** A bar that closes at midnight belongs to the day that ends with it. */
  private static LocalDate day(long close) {
    return Instant.ofEpochMilli(close - 1).atZone(ZoneOffset.UTC).toLocalDate();
  }

  /**
   * The return of each period.
   *
   * @param period the first day of the period that a day belongs to
   */
  static Map<LocalDate, Double> returns(BacktestResult result, UnaryOperator<LocalDate> period) {
    Map<LocalDate, Double> last = new TreeMap<>();
    for (int i = 0; i < result.series().size(); i++) {
      last.put(period.apply(day(result.series().times()[i])), result.series().equity()[i]);
    }
    Map<LocalDate, Double> returns = new TreeMap<>();
    double before = result.initialEquity();
    for (Map.Entry<LocalDate, Double> end : last.entrySet()) {
      returns.put(end.getKey(), end.getValue() / before - 1);
      before = end.getValue();
    }
    return returns;
  }

  private static void daily(Element section, BaselineComparison comparison) {
    Map<LocalDate, Double> agent = returns(comparison.agent().result(), day -> day);
    Map<LocalDate, Double> hold = returns(PolicyStyles.hold(comparison).result(), day -> day);
    HtmlTable table =
        new HtmlTable(section, List.of("day (UTC)", "agent", "buy-and-hold", "difference"));
    hold.forEach(
        (day, held) -> {
          Element row = table.row(day.toString());
          double own = agent.getOrDefault(day, Double.NaN);
          shaded(row, own);
          shaded(row, held);
          shaded(row, own - held);
        });
  }

  private static void monthly(Element section, BaselineComparison comparison) {
    List<String> head = new ArrayList<>(List.of("", ""));
    for (Month month : Month.values()) {
      head.add(month.getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
    }
    head.add("year");
    HtmlTable table = new HtmlTable(section, head);
    BacktestResult hold = PolicyStyles.hold(comparison).result();
    for (LocalDate year : returns(hold, day -> day.withDayOfYear(1)).keySet()) {
      monthRow(table, String.valueOf(year.getYear()), "agent", comparison.agent().result(), year);
      monthRow(table, "", "buy-and-hold", hold, year);
    }
  }

  private static void monthRow(
      HtmlTable table, String name, String policy, BacktestResult result, LocalDate year) {
    Element row = table.row(name);
    row.appendElement("td").addClass("policy").text(policy);
    Map<LocalDate, Double> months = returns(result, day -> day.withDayOfMonth(1));
    for (Month month : Month.values()) {
      shaded(row, months.getOrDefault(year.withMonth(month.getValue()), Double.NaN));
    }
    shaded(row, returns(result, day -> day.withDayOfYear(1)).getOrDefault(year, Double.NaN));
  }

  /** Blue for gains, orange for losses; stronger for larger ones, full at ten percent. */
  private static void shaded(Element row, double value) {
    Element cell = row.appendElement("td");
    if (Double.isNaN(value)) {
      return;
    }
    cell.text(NumberText.change(value));
    if (value != 0) {
      long strength = Math.round(40 * Math.min(1, Math.sqrt(Math.abs(value) / 0.1)));
      cell.addClass(value > 0 ? "gain" : "loss").attr("style", "--strength:" + strength + "%");
    }
  }
}
