package io.quantail.market.stress;

import io.quantail.env.Step;
import io.quantail.market.Market;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.data.Bars;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Replays a stress path after a range of bars, or trades a range with another volatility.
 *
 * <p>The policy trades through the range first, so that recurrent state, account and features are
 * those of the range's last close, and then decides at the close before each bar of the path, with
 * features from history and path. Orders, costs and limits are those of a back-test. Tested by
 * {@code StressTestTest} and the vectors {@code stress_*}.
 */
public final class StressTest {
  private StressTest() {}

  /**
   * A replayed path.
   *
   * @param path that was appended
   * @param weight of the position at the last close before the path
   * @param agent outcome of the path when the policy decides on each bar
   * @param held outcome of the path when the units at its beginning are kept and nothing is paid
   */
  public record Replay(StressPath path, double weight, StressOutcome agent, StressOutcome held) {}

  /**
   * Log-return of an account with a weight when the price changes at once: {@code ln(1 + w s)};
   * empty if it is ruined.
   *
   * @param shock relative change of the price, such as -0.2
   */
  public static OptionalDouble instant(double weight, double shock) {
    double change = weight * shock;
    return change > -1 ? OptionalDouble.of(Math.log1p(change)) : OptionalDouble.empty();
  }

  /**
   * Replays a path after a range of a symbol's bars.
   *
   * @param range bars to trade before the path
   * @return empty if the account ended within the range
   * @throws io.quantail.market.data.DataException if the range has too few bars
   */
  public static Optional<Replay> replay(
      Market market, int symbol, BarRange range, TradingPolicy policy, StressPath path) {
    Bars known = market.bars().get(symbol).slice(0, range.to());
    int volumeBars = market.config().execution().volumeBars();
    Bars bars = StressBars.append(known, path.logReturns(), volumeBars);
    TradingEnvironment account =
        market.onOtherBars(List.of(bars)).pass(0, new BarRange(range.from(), bars.size()));
    policy.begin();
    float[] observation = account.reset(RandomStream.of(0, "stress", 0));
    while (account.bar() < range.to() - 1) {
      Step step = account.trade(policy.weight(account, observation));
      observation = step.observation();
      if (step.done()) {
        return Optional.empty();
      }
    }
    double first = account.account().equity();
    double weight = account.account().exposure(account.bar());
    double[] held = held(account.account().cash(), account.account().units(), bars, range.to());
    double[] equity = new double[held.length];
    Step step;
    int count = 0;
    do {
      step = account.trade(policy.weight(account, observation));
      observation = step.observation();
      equity[count++] = account.account().equity();
    } while (!step.done());
    return Optional.of(
        new Replay(
            path,
            weight,
            StressOutcome.of(first, Arrays.copyOf(equity, count), step.isTerminated()),
            held(first, held)));
  }

  /** The equity of an account that keeps its units, at the closes from a bar on. */
  static double[] held(double cash, double units, Bars bars, int from) {
    double[] equity = new double[bars.size() - from];
    Arrays.setAll(equity, k -> cash + units * bars.close(from + k));
    return equity;
  }

  /** A short position can lose all equity; the account ends there. */
  private static StressOutcome held(double first, double[] equity) {
    int count = 0;
    while (count < equity.length && equity[count] > 0) {
      count++;
    }
    boolean ruined = count < equity.length;
    return StressOutcome.of(first, Arrays.copyOf(equity, ruined ? count + 1 : count), ruined);
  }

  /**
   * Trades a range of a symbol's bars with another volatility; features and decisions are computed
   * anew, their scaling stays that of training.
   *
   * @param factor of all log-changes against the close before, for example 2
   */
  public static StressOutcome volatility(
      Market market, int symbol, BarRange range, TradingPolicy policy, double factor) {
    Bars bars = StressBars.withVolatility(market.bars().get(symbol), factor);
    BacktestResult result =
        Backtest.run(market.onOtherBars(List.of(bars)).pass(0, range), "stress", policy);
    return StressOutcome.of(result.initialEquity(), result.series().equity(), result.ruined());
  }
}
