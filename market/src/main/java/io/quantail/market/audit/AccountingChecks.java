package io.quantail.market.audit;

import io.quantail.audit.AuditOutcome;
import io.quantail.audit.Deviation;
import io.quantail.env.Step;
import io.quantail.market.Market;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.limits.TradingLimits;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.EpisodeSettings;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;
import io.quantail.random.RandomStream;

/** Accounting: equity, fees and rewards of simple accounts against independent calculations. */
final class AccountingChecks {
  private static final double EXACT = 1e-9;

  private AccountingChecks() {}

  private static TradingEnvironment pass(Market market, TradingRules rules) {
    Market alone = MarketAuditProvider.seenAlone(market, MarketAuditProvider.firstBars(market));
    BarRange all = new BarRange(0, alone.bars().get(0).size());
    return TradingEnvironment.pass(alone.instruments().get(0), rules, all);
  }

  static AuditOutcome flat(Market market) {
    BacktestResult result =
        Backtest.run(pass(market, market.rules()), "flat", BaselinePolicies.flat());
    Deviation deviation = new Deviation();
    for (double equity : result.series().equity()) {
      deviation.add(equity, result.initialEquity());
    }
    return deviation.within(0);
  }

  static AuditOutcome buyAndHold(Market market) {
    TradingRules free =
        new TradingRules(
            market.rules().actions(),
            ExecutionSettings.frictionless(),
            TradingLimits.defaults(),
            EpisodeSettings.defaults());
    TradingEnvironment pass = pass(market, free);
    Bars bars = pass.instrument().bars();
    int first = pass.range().from();
    BacktestResult result = Backtest.run(pass, "full", BaselinePolicies.constant(1));
    double[] equity = result.series().equity();
    double held = bars.close(first + equity.length) / bars.open(first + 1);
    double grown = equity[equity.length - 1] / result.initialEquity();
    return new Deviation()
        .add(grown / held, 1)
        .note("the account grew by a factor of %s, the price by %s", grown, held)
        .within(EXACT);
  }

  static AuditOutcome books(Market market) {
    TargetWeightMap actions = market.rules().actions();
    TradingEnvironment pass = pass(market, market.rules());
    Bars bars = pass.instrument().bars();
    int first = pass.range().from();
    BacktestResult result = Backtest.run(pass, "random", BaselinePolicies.random(actions, 7));
    ReferenceAccount slow = new ReferenceAccount(bars, market.rules().execution());
    BacktestResult.Series series = result.series();
    Deviation deviation = new Deviation();
    double fees = 0;
    for (int i = 0; i < series.size(); i++) {
      slow.step(first + i, series.targets()[i]);
      double equity = slow.equity(first + i + 1);
      double unit = Math.abs(equity) + 1e-9;
      deviation
          .add(series.equity()[i], equity, unit)
          .add(series.fees()[i], slow.fee(), unit)
          .add(series.slippage()[i], slow.slippage(), unit)
          .add(series.borrow()[i], slow.borrow(), unit);
      fees += slow.fee() + slow.slippage();
    }
    return deviation
        .note(
            "%d steps, %d trades, %s paid in fees and slippage",
            series.size(), result.trades().size(), fees)
        .within(EXACT);
  }

  static AuditOutcome rewards(Market market) {
    TradingEnvironment pass = pass(market, market.rules());
    TradingPolicy policy = BaselinePolicies.random(market.rules().actions(), 8);
    policy.begin();
    float[] observation = pass.reset(RandomStream.of(0, "audit", 0));
    double before = pass.account().equity();
    double sum = 0;
    Step step;
    do {
      step = pass.trade(policy.weight(pass, observation));
      observation = step.observation();
      sum += step.reward();
    } while (!step.done());
    if (pass.account().equity() <= 0) {
      return AuditOutcome.skipped("the account lost all its equity");
    }
    return new Deviation()
        .add(sum, Math.log(pass.account().equity() / before))
        .note("rewards sum to %s", sum)
        .within(EXACT);
  }
}
