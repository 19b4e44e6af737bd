package io.quantail.market.performance;

import io.quantail.evidence.BarDays;
import java.time.LocalDate;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Returns of an account by day, month or year (UTC). */
public final class CalendarReturns {
  private CalendarReturns() {}

  /** The day of a bar; one that closes at midnight belongs to the day that ends with it. */
  public static LocalDate day(long close) {
    return LocalDate.ofEpochDay(BarDays.day(close));
  }

  /**
   * The return of each period, in order of time.
   *
   * @param period the first day of the period that a day belongs to
   */
  public static Map<LocalDate, Double> of(AccountCurve account, UnaryOperator<LocalDate> period) {
    Map<LocalDate, Double> last = new TreeMap<>();
    for (int t = 1; t < account.times().length; t++) {
      last.put(period.apply(day(account.times()[t])), account.equity()[t]);
    }
    Map<LocalDate, Double> returns = new TreeMap<>();
    double before = account.equity()[0];
    for (Map.Entry<LocalDate, Double> end : last.entrySet()) {
      returns.put(end.getKey(), before > 0 ? end.getValue() / before - 1 : 0);
      before = end.getValue();
    }
    return returns;
  }
}
