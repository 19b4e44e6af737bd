package io.quantail.market.stress;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.market.execution.PriceSeries;
import io.quantail.math.Percentiles;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** Bars of stress tests, made from other bars. */
public final class StressBars {
  private StressBars() {}

  /**
   * Appends bars with given log-returns: a bar opens at the close before, its high and low are the
   * larger and smaller of open and close, and its volume is the median of the last {@code
   * volumeBars} volumes. Numbers of trades and taker volumes are medians too, a given quote volume
   * is its median times the change of the price. Extra columns keep their last value, dividends are
   * 0.
   *
   * @param logReturns of the new bars, close to close
   * @param volumeBars number of bars of the medians, {@code market.execution.volumeBars}
   */
  public static Bars append(Bars bars, double[] logReturns, int volumeBars) {
    int last = bars.size() - 1;
    int from = Math.max(0, bars.size() - volumeBars);
    List<Bars.Optional> optional = optional(bars);
    BarsBuilder built = builder(bars, bars.size() + logReturns.length);
    for (int t = 0; t < bars.size(); t++) {
      built.add(bars.time(t), row(bars, t));
    }
    double[] row = row(bars, last);
    row[4] = median(from, bars.size(), bars::volume);
    for (int i = 0; i < optional.size(); i++) {
      Bars.Optional column = optional.get(i);
      row[5 + i] = median(from, bars.size(), t -> bars.value(column, t));
    }
    int quotes = optional.indexOf(Bars.Optional.QUOTE_VOLUME);
    double quoteVolume = quotes < 0 ? 0 : row[5 + quotes];
    int dividends = bars.extraNames().indexOf(PriceSeries.DIVIDEND);
    if (dividends >= 0) {
      row[5 + optional.size() + dividends] = 0;
    }
    for (int k = 0; k < logReturns.length; k++) {
      row[0] = row[3];
      row[3] = row[0] * Math.exp(logReturns[k]);
      row[1] = Math.max(row[0], row[3]);
      row[2] = Math.min(row[0], row[3]);
      if (quotes >= 0) {
        row[5 + quotes] = quoteVolume * row[3] / bars.close(last);
      }
      built.add(bars.time(last) + (k + 1) * bars.barMillis(), row);
    }
    return built.build();
  }

  /**
   * Multiplies the volatility: every logarithm of open, high, low and close over the close before
   * is multiplied by a factor, that of the first bar over its own open. Given quote volumes change
   * with the close; other columns stay.
   *
   * @param factor for example 2
   */
  public static Bars withVolatility(Bars bars, double factor) {
    int quotes = optional(bars).indexOf(Bars.Optional.QUOTE_VOLUME);
    BarsBuilder built = builder(bars, bars.size());
    double before = bars.open(0);
    double newBefore = before;
    for (int t = 0; t < bars.size(); t++) {
      double[] row = row(bars, t);
      for (int price = 0; price < 4; price++) {
        row[price] = newBefore * Math.exp(factor * Math.log(row[price] / before));
      }
      before = bars.close(t);
      newBefore = row[3];
      if (quotes >= 0) {
        row[5 + quotes] *= newBefore / before;
      }
      built.add(bars.time(t), row);
    }
    return built.build();
  }

  private static List<Bars.Optional> optional(Bars bars) {
    return Arrays.stream(Bars.Optional.values()).filter(bars::has).toList();
  }

  private static BarsBuilder builder(Bars bars, int size) {
    return new BarsBuilder(
        bars.symbol(), bars.barMillis(), optional(bars), bars.extraNames(), size);
  }

  private static double[] row(Bars bars, int t) {
    List<Bars.Optional> optional = optional(bars);
    List<String> extras = bars.extraNames();
    double[] row = new double[5 + optional.size() + extras.size()];
    row[0] = bars.open(t);
    row[1] = bars.high(t);
    row[2] = bars.low(t);
    row[3] = bars.close(t);
    row[4] = bars.volume(t);
    for (int i = 0; i < optional.size(); i++) {
      row[5 + i] = bars.value(optional.get(i), t);
    }
    for (int i = 0; i < extras.size(); i++) {
      row[5 + optional.size() + i] = bars.extra(extras.get(i), t);
    }
    return row;
  }

  private static double median(int from, int to, IntToDoubleFunction column) {
    double[] values = new double[to - from];
    Arrays.setAll(values, i -> column.applyAsDouble(from + i));
    return Percentiles.of(values).at(0.5);
  }
}
