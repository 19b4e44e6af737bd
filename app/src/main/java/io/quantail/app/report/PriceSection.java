package io.quantail.app.report;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.forecast.TailForecast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * What the agent did on the price of a symbol: fills, weight, and the returns that fell below the
 * VaR that was forecast for them.
 */
final class PriceSection {
  private static final int MOST_FILLS = 600;

  private final BacktestResult agent;
  private final @Nullable TailForecast forecast;
  private final SeriesThinning thinning;
  private final double[] times;
  private final List<Chart.Series> series = new ArrayList<>();
  private int exceedances;

  private PriceSection(BacktestResult agent, @Nullable TailForecast forecast) {
    this.agent = agent;
    this.forecast = forecast;
    this.thinning = SeriesThinning.of(agent.series().size());
    this.times = thinning.times(agent.series().times());
  }

  static void add(
      Page page,
      Element parent,
      BaselineComparison symbol,
      @Nullable TailForecast forecast,
      String group) {
    new PriceSection(symbol.agent().result(), forecast).add(page, parent, group);
  }

  private void add(Page page, Element parent, String group) {
    series.add(
        Chart.Series.line("close", "baseline", times, thinning.values(agent.series().prices())));
    fills("buys", "buy", true);
    fills("sells", "sell", false);
    series.add(
        Chart.Series.line("weight", "agent", times, thinning.values(agent.series().exposures()))
            .shaped("ribbon")
            .inPanel(1));
    List<Chart.Axis> panels = new ArrayList<>(List.of(Chart.Axis.value("share", "weight")));
    if (forecast != null) {
      returns(forecast);
      panels.add(Chart.Axis.value("small", "log-return of the account"));
    }
    page.chartSection(
        parent,
        "Price, fills and weight",
        caption(),
        Chart.of(Chart.Axis.time(), Chart.Axis.value("number", "price"), series)
            .inGroup(group)
            .withLogarithm()
            .withPanels(panels.toArray(Chart.Axis[]::new)));
  }

  private String caption() {
    String fills =
        "Close with %s fills%s, and the weight of the position at each close"
            .formatted(
                NumberText.count(agent.trades().size()),
                many() ? " (hidden at first: click their names)" : "");
    if (forecast == null) {
      return fills + "." + thinning.note();
    }
    long known = Arrays.stream(forecast.var()).filter(value -> !Double.isNaN(value)).count();
    return "%s; %s of %s returns fell to or below the VaR of %s that was forecast one bar before, %s were expected.%s"
        .formatted(
            fills,
            NumberText.count(exceedances),
            NumberText.count(known),
            LimitText.share(forecast.alpha()),
            NumberText.whole(forecast.alpha() * known),
            thinning.note());
  }

  /** The fills of one side; of a range of bars that is drawn as one, the largest. */
  private void fills(String name, String tone, boolean bought) {
    Map<Integer, FilledOrder> largest = new TreeMap<>();
    long[] closes = agent.series().times();
    for (int i = 0; i < agent.trades().size(); i++) {
      FilledOrder fill = agent.trades().get(i);
      if (fill.units() > 0 == bought) {
        int found = Arrays.binarySearch(closes, fill.time());
        int range = thinning.rangeOf(found < 0 ? -found - 1 : found);
        int key = thinning.range() == 1 ? i : range;
        largest.merge(key, fill, (one, other) -> one.notional() < other.notional() ? other : one);
      }
    }
    if (!largest.isEmpty()) {
      Chart.Series marks =
          Chart.Series.line(
                  name,
                  tone,
                  largest.values().stream().mapToDouble(FilledOrder::time).toArray(),
                  largest.values().stream().mapToDouble(FilledOrder::fill).toArray())
              .shaped(bought ? "up" : "down");
      series.add(many() ? marks.hiddenAtFirst() : marks);
    }
  }

  /** Whether the fills would cover the price. */
  private boolean many() {
    return agent.trades().size() > MOST_FILLS;
  }

  private void returns(TailForecast tail) {
    double[] returns = agent.logReturns();
    double[] below = returns.clone();
    for (int t = 0; t < below.length; t++) {
      boolean exceeded = returns[t] <= tail.var()[t]; // false without a forecast
      below[t] = exceeded ? returns[t] : Double.NaN;
      exceedances += exceeded ? 1 : 0;
    }
    String level = LimitText.share(tail.alpha());
    series.add(
        Chart.Series.line("VaR " + level, "limit", times, thinning.values(tail.var()))
            .shaped("area")
            .inPanel(2));
    series.add(
        Chart.Series.line("return", "flat", times, thinning.values(returns))
            .shaped("dust")
            .inPanel(2));
    series.add(
        Chart.Series.line("below VaR", "limit", times, thinning.values(below))
            .shaped("dots")
            .inPanel(2));
  }
}
