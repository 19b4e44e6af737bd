package io.quantail.market.audit;

import io.quantail.audit.AuditOutcome;
import io.quantail.audit.Deviation;
import io.quantail.market.Market;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.data.Bars;
import io.quantail.market.forecast.ForecastRow;
import io.quantail.market.forecast.RowRecorder;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.TradingEnvironment;
import java.util.List;

/** The rows from which the forecast of the next bar is learnt, against plain loops. */
final class ForecastChecks {
  private static final double EXACT = 1e-9;

  private ForecastChecks() {}

  static AuditOutcome rows(Market market) {
    Bars bars = MarketAuditProvider.firstBars(market);
    TradingEnvironment pass =
        MarketAuditProvider.seenAlone(market, bars).pass(0, new BarRange(0, bars.size()));
    int first = pass.range().from();
    RowRecorder recorder = new RowRecorder(BaselinePolicies.random(market.rules().actions(), 4));
    BacktestResult result = Backtest.run(pass, "random", recorder);
    List<ForecastRow> rows = recorder.passes().get(0);
    double held = 0;
    double equity = result.initialEquity();
    Deviation deviation = new Deviation();
    for (int step = 0; step < rows.size(); step++) {
      double target = result.series().targets()[step];
      double change = Math.abs(target - held);
      double ordered = change < market.rules().execution().minRebalance() ? held : target;
      double volatility = RiskUnitChecks.volatility(bars, first + step);
      double unit = volatility * (Math.abs(ordered) > 0.01 ? Math.abs(ordered) : 0.01);
      deviation.add(rows.get(step).unit(), unit, volatility == 0 ? 1 : volatility);
      double after = result.series().equity()[step];
      deviation.add(rows.get(step).logReturn(), Math.log(after / equity));
      held = result.series().exposures()[step];
      equity = after;
    }
    return deviation.note("%d decisions of a random account", rows.size()).within(EXACT);
  }
}
