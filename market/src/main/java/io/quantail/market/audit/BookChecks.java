package io.quantail.market.audit;

import io.quantail.audit.Outcome;
import io.quantail.env.Step;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.Baselines;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.risk.RiskLimits;
import io.quantail.market.setup.Market;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.ActionMap;
import io.quantail.market.trading.EpisodeSettings;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;
import io.quantail.random.RandomStream;

/** Whether the money adds up. */
final class BookChecks {
  private static final double EXACT = 1e-9;

  private BookChecks() {}

  private static TradingEnvironment pass(Market market, TradingRules rules) {
    Market alone = MarketAudit.seenAlone(market, MarketAudit.firstBars(market));
    BarRange all = new BarRange(0, alone.bars().get(0).size());
    return TradingEnvironment.pass(alone.instruments().get(0), rules, all);
  }

  static Outcome flat(Market market) {
    ActionMap actions = market.rules().actions();
    if (actions.weight(actions.action(0)) != 0) {
      return Outcome.skipped("market.action has no weight of 0");
    }
    BacktestResult result =
        Backtest.run(pass(market, market.rules()), "flat", Baselines.flat(actions));
    double worst = 0;
    for (double equity : result.series().equity()) {
      worst = Math.max(worst, Math.abs(equity - result.initialEquity()));
    }
    return Outcome.error(worst, 0, "an account that does nothing gains or loses money");
  }

  static Outcome buyAndHold(Market market) {
    ActionMap actions = market.rules().actions();
    if (actions.weight(actions.action(1)) != 1) {
      return Outcome.skipped("market.action has no weight of 1");
    }
    TradingRules free =
        new TradingRules(
            actions,
            ExecutionSettings.frictionless(),
            RiskLimits.defaults(),
            EpisodeSettings.defaults());
    TradingEnvironment pass = pass(market, free);
    Bars bars = pass.instrument().bars();
    int first = pass.range().from();
    BacktestResult result = Backtest.run(pass, "full", Baselines.constant(actions, 1));
    double[] equity = result.series().equity();
    double held = bars.close(first + equity.length) / bars.open(first + 1);
    double grown = equity[equity.length - 1] / result.initialEquity();
    return Outcome.error(
        Math.abs(grown / held - 1),
        EXACT,
        "grew by a factor of %s, the price by %s".formatted(grown, held));
  }

  static Outcome books(Market market) {
    ActionMap actions = market.rules().actions();
    TradingEnvironment pass = pass(market, market.rules());
    Bars bars = pass.instrument().bars();
    int first = pass.range().from();
    BacktestResult result = Backtest.run(pass, "random", Baselines.random(actions, 7));
    SlowAccount slow = new SlowAccount(bars, market.rules().execution());
    BacktestResult.Series series = result.series();
    double worst = 0;
    double fees = 0;
    for (int i = 0; i < series.size(); i++) {
      slow.step(first + i, series.targets()[i]);
      double size = Math.abs(slow.equity(first + i + 1)) + 1e-9;
      worst = Math.max(worst, Math.abs(series.equity()[i] - slow.equity(first + i + 1)) / size);
      worst = Math.max(worst, Math.abs(series.fees()[i] - slow.fee()) / size);
      worst = Math.max(worst, Math.abs(series.slippage()[i] - slow.slippage()) / size);
      worst = Math.max(worst, Math.abs(series.borrow()[i] - slow.borrow()) / size);
      fees += slow.fee() + slow.slippage();
    }
    return Outcome.noted(
        worst,
        EXACT,
        "%d steps, %d trades, %s paid in fees and slippage"
            .formatted(series.size(), result.trades().size(), Outcome.number(fees)));
  }

  static Outcome rewards(Market market) {
    TradingEnvironment pass = pass(market, market.rules());
    TradingPolicy policy = Baselines.random(market.rules().actions(), 8);
    policy.begin();
    float[] observation = pass.reset(RandomStream.of(0, "audit", 0));
    double before = pass.account().equity();
    double sum = 0;
    Step step;
    do {
      step = pass.step(policy.act(observation));
      observation = step.observation();
      sum += step.reward();
    } while (!step.done());
    if (pass.account().equity() <= 0) {
      return Outcome.skipped("the account was ruined on the way");
    }
    return Outcome.error(
        Math.abs(sum - Math.log(pass.account().equity() / before)),
        EXACT,
        "rewards add up to %s".formatted(Outcome.number(sum)));
  }
}
