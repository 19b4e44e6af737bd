package io.quantail.market.stress;

import io.quantail.market.Market;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.split.BarRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What an account would do in crises that its bars do not have: instant changes of the price, the
 * shipped paths and doubled volatility.
 *
 * @param symbol name of the symbol
 * @param weight of the position at the last close; null if the account ended before
 * @param scenarios in the order of reports
 */
public record StressResult(String symbol, @Nullable Double weight, List<Scenario> scenarios) {
  private static final double[] SHOCKS = {-0.05, -0.1, -0.2};
  private static final double VOLATILITY = 2;

  /**
   * One scenario.
   *
   * @param name such as {@code October 1987}
   * @param totalReturn of the account; -1 if it is ruined
   * @param maxDrawdown null for an instant change
   * @param worstBar smallest log-return of a bar; null for an instant change
   * @param ended whether the account ended early
   * @param heldReturn of the account if the units at the beginning are kept; null where the agent
   *     cannot act, or all bars change
   */
  public record Scenario(
      String name,
      double totalReturn,
      @Nullable Double maxDrawdown,
      @Nullable Double worstBar,
      boolean ended,
      @Nullable Double heldReturn) {}

  /**
   * Runs all scenarios after a range of a symbol's bars.
   *
   * @param weight at the last close of the range
   * @param ended whether the account ended within the range
   */
  public static StressResult of(
      Market market,
      int symbol,
      BarRange range,
      TradingPolicy policy,
      double weight,
      boolean ended) {
    List<Scenario> scenarios = new ArrayList<>();
    if (!ended) {
      for (double shock : SHOCKS) {
        scenarios.add(instant(weight, shock));
      }
      for (StressPath path : StressPath.shipped()) {
        StressTest.replay(market, symbol, range, policy, path)
            .ifPresent(replay -> scenarios.add(scenario(replay)));
      }
    }
    StressOutcome doubled = StressTest.volatility(market, symbol, range, policy, VOLATILITY);
    scenarios.add(scenario("these bars, volatility doubled", doubled, null));
    String name = market.bars().get(symbol).symbol();
    return new StressResult(name, ended ? null : weight, List.copyOf(scenarios));
  }

  private static Scenario instant(double weight, double shock) {
    OptionalDouble logReturn = StressTest.instant(weight, shock);
    return new Scenario(
        String.format(Locale.ROOT, "%d %% at once", Math.round(100 * shock)),
        logReturn.isPresent() ? Math.expm1(logReturn.getAsDouble()) : -1,
        null,
        null,
        logReturn.isEmpty(),
        null);
  }

  private static Scenario scenario(StressTest.Replay replay) {
    return scenario(replay.path().title(), replay.agent(), replay.held().totalReturn());
  }

  private static Scenario scenario(String name, StressOutcome outcome, @Nullable Double held) {
    return new Scenario(
        name,
        outcome.totalReturn(),
        outcome.maxDrawdown(),
        outcome.worstBar(),
        outcome.ended(),
        held);
  }
}
