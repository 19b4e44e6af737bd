package io.quantail.market.desk;

import io.quantail.config.RiskConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.env.Step;
import io.quantail.market.backtest.AgentPolicy;
import io.quantail.market.backtest.Outlook;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.setup.Market;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.random.RandomStream;
import java.time.Instant;

/**
 * What an agent wants at the close of the last bar.
 *
 * <p>The agent trades through all bars before, from the first after the warm-up, so that memory and
 * account are those that a back-test has at this bar; the decision is that of the back-test, bit
 * for bit ({@code SignalTest}). Nothing is kept between calls: same bars, same signal.
 *
 * @param symbol the symbol
 * @param time close of the last bar, milliseconds since 1970 (UTC)
 * @param expires close of the next bar: a newer signal takes its place
 * @param price the last close
 * @param targetWeight weight to hold from the next open on, after risk limits
 * @param currentWeight weight that the replayed account holds at the close
 * @param ended whether the account was ruined or fell too far on the way; it stays flat
 * @param outlook what the agent expects to earn; null if ended
 */
public record Signal(
    String symbol,
    long time,
    long expires,
    double price,
    double targetWeight,
    double currentWeight,
    boolean ended,
    Outlook outlook) {

  /**
   * @param symbol index of the symbol
   * @param since close of the first bar to decide at; the first after the warm-up if earlier
   * @param scale turns what the critics say into returns
   * @param risk how the lower tail is measured
   */
  public static Signal of(
      Market market,
      int symbol,
      long since,
      AgentPolicy policy,
      ReturnScale scale,
      RiskConfig risk) {
    Instrument instrument = market.instruments().get(symbol);
    Bars bars = instrument.bars();
    BarRange range = new BarRange(firstBar(bars, since), bars.size());
    TradingEnvironment account = TradingEnvironment.replay(instrument, market.rules(), range);
    policy.begin();
    float[] observation = account.reset(RandomStream.of(0, "signal", 0));
    while (account.bar() < bars.size() - 1) {
      Step step = account.step(policy.act(observation));
      observation = step.observation();
      if (step.terminated()) {
        return of(bars, 0, account.account().exposure(account.bar()), true, null);
      }
    }
    AgentPolicy.Decision decision = policy.decide(observation, scale, risk);
    double current = account.account().exposure(account.bar());
    return of(bars, account.decide(decision.action()), current, false, decision.outlook());
  }

  private static int firstBar(Bars bars, long since) {
    int bar = 0;
    while (bar < bars.size() && bars.time(bar) < since) {
      bar++;
    }
    if (bar == bars.size()) {
      throw new DataException(
          "%s has no bar at or after %s; its last closes at %s"
              .formatted(
                  bars.symbol(),
                  Instant.ofEpochMilli(since),
                  Instant.ofEpochMilli(bars.time(bars.size() - 1))));
    }
    return bar;
  }

  private static Signal of(
      Bars bars, double target, double current, boolean ended, Outlook outlook) {
    int last = bars.size() - 1;
    long time = bars.time(last);
    return new Signal(
        bars.symbol(),
        time,
        time + bars.barMillis(),
        bars.close(last),
        target,
        current,
        ended,
        outlook);
  }
}
