package io.quantail.market.audit;

import io.quantail.audit.AuditOutcome;
import io.quantail.audit.AuditSubject;
import io.quantail.market.Market;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.Bars;
import io.quantail.market.signal.TradingSignal;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TrainingRange;
import io.quantail.random.RandomStream;
import io.quantail.value.ReturnScale;
import java.util.Arrays;

/** Equality of observations and decisions in training, evaluation and signals. */
final class ParityChecks {
  private static final int BARS = 5;

  private ParityChecks() {}

  static AuditOutcome signal(Market market, AuditSubject subject) {
    Bars bars = MarketAuditProvider.firstBars(market);
    Market alone = MarketAuditProvider.seenAlone(market, bars);
    TradingEnvironment pass = alone.pass(0, new BarRange(0, bars.size()));
    int first = pass.range().from();
    AgentTradingPolicy policy = new AgentTradingPolicy(subject.agent());
    BacktestResult evaluated = Backtest.run(pass, "agent", policy);
    double[] targets = evaluated.series().targets();
    int wrong = 0;
    for (int index = 1; index <= BARS; index++) {
      int step = (targets.length - 1) * index / BARS;
      Bars known = bars.slice(0, first + step + 1);
      TradingSignal signal =
          TradingSignal.of(
              MarketAuditProvider.seenAlone(market, known),
              0,
              bars.time(0),
              policy,
              ReturnScale.IDENTITY,
              subject.config().risk(),
              null);
      wrong += signal.targetWeight() == targets[step] ? 0 : 1;
    }
    return AuditOutcome.differences(wrong, BARS, "");
  }

  static AuditOutcome training(Market market) {
    RandomStream random = RandomStream.of(3, "audit", 0);
    TrainingRange range = MarketAuditProvider.trainingRange(market);
    TradingEnvironment training =
        TradingEnvironment.training(range.instrument(), market.rules(), range.range());
    int wrong = 0;
    for (int index = 0; index < BARS; index++) {
      float[] trained = training.reset(random).clone();
      int bar = training.bar();
      Bars known = range.instrument().bars().slice(0, bar + 1);
      Market alone = MarketAuditProvider.seenAlone(market, known);
      TradingEnvironment replay =
          TradingEnvironment.replay(
              alone.instruments().get(0), alone.rules(), new BarRange(bar, bar + 1));
      float[] live = replay.reset(random);
      wrong += Arrays.equals(trained, live) ? 0 : 1;
    }
    return AuditOutcome.differences(wrong, BARS, "");
  }
}
