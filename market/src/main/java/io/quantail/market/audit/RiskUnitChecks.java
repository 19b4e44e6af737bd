package io.quantail.market.audit;

import io.quantail.audit.AuditOutcome;
import io.quantail.audit.Deviation;
import io.quantail.market.Market;
import io.quantail.market.MarketConfig.ActionSettings.Unit;
import io.quantail.market.data.Bars;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TrainingRange;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Weights of actions in risk units against plain loops over closes. */
final class RiskUnitChecks {
  private static final double EXACT = 1e-9;
  private static final int FIRST = 5;
  private static final int BARS = 50;

  private RiskUnitChecks() {}

  static AuditOutcome weights(Market market) {
    if (market.config().action().unit() == Unit.WEIGHT) {
      return AuditOutcome.skipped("market.action.unit is weight");
    }
    double budget = budget(market);
    RandomStream random = RandomStream.of(9, "audit", 0);
    TrainingRange range = MarketAuditProvider.trainingRange(market);
    TradingEnvironment training =
        TradingEnvironment.training(range.instrument(), market.rules(), range.range());
    Deviation deviation = new Deviation();
    for (int index = 0; index < BARS; index++) {
      training.reset(random);
      double low = market.rules().actions().minWeight();
      double high = market.rules().actions().maxWeight();
      float[] action = market.rules().actions().action(random.nextDouble(low, high));
      double plain = market.rules().actions().weight(action);
      double volatility = volatility(range.instrument().bars(), training.bar());
      double expected = volatility > budget ? plain * budget / volatility : plain;
      deviation.add(training.weight(action), expected);
    }
    return deviation.note("budget %s", budget).within(EXACT);
  }

  /** The limit over the tail multiple of the training bars, or their median volatility. */
  private static double budget(Market market) {
    List<Double> returns = new ArrayList<>();
    List<Double> volatilities = new ArrayList<>();
    for (TrainingRange training : market.training()) {
      Bars bars = training.instrument().bars();
      BarRange range = training.range();
      if (bars.size() <= FIRST) {
        continue;
      }
      double variance = seed(bars);
      for (int t = 1; t < range.to(); t++) {
        variance = next(variance, bars, t);
        if (t < Math.max(FIRST, range.from()) || variance == 0) {
          continue;
        }
        volatilities.add(Math.sqrt(variance));
        if (t + 1 < range.to()) {
          returns.add(Math.log(bars.close(t + 1) / bars.close(t)) / Math.sqrt(variance));
        }
      }
    }
    if (market.barLimit().isEmpty()) {
      Collections.sort(volatilities);
      int count = volatilities.size();
      return (volatilities.get((count - 1) / 2) + volatilities.get(count / 2)) / 2;
    }
    Collections.sort(returns);
    int tail = (int) Math.ceil(market.risk().alpha() * returns.size());
    double sum = 0;
    for (double value : returns.subList(0, tail)) {
      sum += value;
    }
    return market.barLimit().getAsDouble() / (sum / tail);
  }

  /** EWMA volatility at the close of a bar. */
  static double volatility(Bars bars, int last) {
    double variance = seed(bars);
    for (int t = 1; t <= last; t++) {
      variance = next(variance, bars, t);
    }
    return Math.sqrt(variance);
  }

  private static double seed(Bars bars) {
    List<Double> squares = new ArrayList<>();
    for (int t = 1; t <= FIRST; t++) {
      squares.add(Math.pow(Math.log(bars.close(t) / bars.close(t - 1)), 2));
    }
    Collections.sort(squares);
    return squares.get(2);
  }

  private static double next(double variance, Bars bars, int t) {
    return 0.94 * variance + 0.06 * Math.pow(Math.log(bars.close(t) / bars.close(t - 1)), 2);
  }
}
