package io.quantail.market.signal;

import io.quantail.config.RiskConfig;
import io.quantail.env.Step;
import io.quantail.market.Market;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.ReturnPrediction;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.forecast.NextBarForecast;
import io.quantail.market.forecast.NextBarForecaster;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.random.RandomStream;
import io.quantail.value.ReturnScale;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The target weight of an agent at the close of the last bar.
 *
 * <p>The agent trades through all earlier bars, from the first after the warm-up, so that recurrent
 * state and account equal those of a back-test at this bar; the decision equals that of the
 * back-test bit for bit. No state is kept between calls: the same bars give the same signal. Tested
 * by {@code TradingSignalTest}.
 *
 * @param symbol name of the symbol
 * @param time close of the last bar, milliseconds since 1970 (UTC)
 * @param expires expected close of the next bar, when a newer signal replaces this one; see {@link
 *     TradingCalendar#nextClose}
 * @param price the last close
 * @param targetWeight weight to hold from the next open on, after risk limits
 * @param currentWeight weight that the replayed account holds at the close
 * @param ended whether the account ended earlier by ruin or by its drawdown limit; it stays flat
 * @param outlook predicted return; null if ended
 * @param nextBar forecast of the next bar; null if ended, if the run has none, or if the account
 *     has neither a position nor an order
 */
public record TradingSignal(
    String symbol,
    long time,
    long expires,
    double price,
    double targetWeight,
    double currentWeight,
    boolean ended,
    @Nullable ReturnPrediction outlook,
    @Nullable NextBarForecast nextBar) {

  /**
   * Replays a symbol's bars and decides at the last.
   *
   * @param symbol index of the symbol
   * @param since close of the first bar to decide at; the first after the warm-up if earlier
   * @param scale converts predictions of the critics to returns
   * @param risk how the lower tail is measured
   * @param forecaster of the next bar; null if the run has none
   */
  public static TradingSignal of(
      Market market,
      int symbol,
      long since,
      AgentTradingPolicy policy,
      ReturnScale scale,
      RiskConfig risk,
      @Nullable NextBarForecaster forecaster) {
    Instrument instrument = market.instruments().get(symbol);
    Bars bars = instrument.bars();
    BarRange range = new BarRange(firstBar(bars, since), bars.size());
    TradingEnvironment account = TradingEnvironment.replay(instrument, market.rules(), range);
    policy.begin();
    float[] observation = account.reset(RandomStream.of(0, "signal", 0));
    while (account.bar() < bars.size() - 1) {
      Step step = account.trade(policy.weight(account, observation));
      observation = step.observation();
      if (step.isTerminated()) {
        return of(bars, 0, account.account().exposure(account.bar()), true, null, null);
      }
    }
    AgentTradingPolicy.Decision decision = policy.decide(observation, scale, risk);
    double current = account.account().exposure(account.bar());
    double target = account.decide(decision.action());
    NextBarForecast nextBar =
        forecaster == null
            ? null
            : NextBarForecast.of(
                    forecaster,
                    account,
                    observation,
                    target,
                    ForecastResult.tailLevel(risk.alpha()))
                .orElse(null);
    return of(bars, target, current, false, decision.outlook(), nextBar);
  }

  private static int firstBar(Bars bars, long since) {
    int bar = 0;
    while (bar < bars.size() && bars.time(bar) < since) {
      bar++;
    }
    if (bar == bars.size()) {
      throw new DataException(
          "%s has no bar at or after %s, its last closes at %s; use an earlier time or newer bars"
              .formatted(
                  bars.symbol(),
                  Instant.ofEpochMilli(since),
                  Instant.ofEpochMilli(bars.time(bars.size() - 1))));
    }
    return bar;
  }

  private static TradingSignal of(
      Bars bars,
      double target,
      double current,
      boolean ended,
      @Nullable ReturnPrediction outlook,
      @Nullable NextBarForecast nextBar) {
    int last = bars.size() - 1;
    long time = bars.time(last);
    return new TradingSignal(
        bars.symbol(),
        time,
        TradingCalendar.of(bars).nextClose(),
        bars.close(last),
        target,
        current,
        ended,
        outlook,
        nextBar);
  }
}
