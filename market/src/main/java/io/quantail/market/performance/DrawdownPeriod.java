package io.quantail.market.performance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One drawdown of an account: from a highest equity so far to the close that reaches it again.
 * {@code DrawdownPeriodTest} has numbers worked by hand.
 *
 * @param begin close with the highest equity before
 * @param trough close with the lowest equity of the drawdown; the first of equal ones
 * @param recovered first close that reaches the highest equity again; null if none does
 * @param depth largest 1 − E / highest E so far
 * @param bars number of bars below the highest equity
 */
public record DrawdownPeriod(
    long begin, long trough, @Nullable Long recovered, double depth, int bars) {

  /** The deepest drawdowns, deepest first; of equally deep ones the earlier. */
  public static List<DrawdownPeriod> deepest(AccountCurve account, int most) {
    return all(account).stream()
        .sorted(Comparator.comparingDouble(DrawdownPeriod::depth).reversed())
        .limit(most)
        .toList();
  }

  private static List<DrawdownPeriod> all(AccountCurve account) {
    List<DrawdownPeriod> all = new ArrayList<>();
    double[] equity = account.equity();
    int peak = 0;
    for (int t = 1; t < equity.length; t++) {
      if (equity[t] >= equity[peak]) {
        if (t > peak + 1) {
          all.add(period(account, peak, t));
        }
        peak = t;
      }
    }
    if (peak < equity.length - 1) {
      all.add(period(account, peak, equity.length));
    }
    return all;
  }

  /**
   * The drawdown between two closes.
   *
   * @param end first close that reaches the peak again; the number of closes if none does
   */
  private static DrawdownPeriod period(AccountCurve account, int peak, int end) {
    double[] equity = account.equity();
    int trough = peak + 1;
    for (int t = peak + 1; t < end; t++) {
      trough = equity[t] < equity[trough] ? t : trough;
    }
    return new DrawdownPeriod(
        account.times()[peak],
        account.times()[trough],
        end == equity.length ? null : (Long) account.times()[end],
        1 - equity[trough] / equity[peak],
        end - peak - 1);
  }
}
