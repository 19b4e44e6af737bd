package io.quantail.market.execution;

import io.quantail.config.Check;
import org.jspecify.annotations.Nullable;

/**
 * Execution and costs of orders; section {@code market.execution}.
 *
 * @param takerBps fee in 1/10000 of the traded money; in [0, 1000]; default 10
 * @param halfSpreadBps half the distance between bid and ask, in 1/10000 of the price; in [0,
 *     1000]; default 5
 * @param impactBps slippage, in 1/10000, of an order as large as the average quote volume of a bar;
 *     it grows with the square root of the size; in [0, 10000]; default 10
 * @param maxSlippageBps largest sum of half-spread and impact, in 1/10000; in [0, 5000]; default
 *     500
 * @param volumeBars number of bars of the average volume, including the bar of the decision; at
 *     least 1; default 42
 * @param maxParticipation largest order as a fraction of the average volume; positive, or null: no
 *     limit; default 0.1
 * @param lot orders are multiples of this number of units; at least 0; default 0: any amount
 * @param minNotional smallest order in money, smaller ones are not placed; at least 0; default 0
 * @param minRebalance smallest difference between target and current weight that gives an order; in
 *     [0, 1]; default 0.02
 * @param borrowRate yearly cost of a short position, as a fraction of its value; in [0, 10];
 *     default 0
 * @param initialCash initial cash of an account; positive; default 10000
 */
public record ExecutionSettings(
    double takerBps,
    double halfSpreadBps,
    double impactBps,
    double maxSlippageBps,
    int volumeBars,
    @Nullable Double maxParticipation,
    double lot,
    double minNotional,
    double minRebalance,
    double borrowRate,
    double initialCash) {

  public ExecutionSettings {
    Check.within("market.execution.takerBps", takerBps, 0, 1000);
    Check.within("market.execution.halfSpreadBps", halfSpreadBps, 0, 1000);
    Check.within("market.execution.impactBps", impactBps, 0, 10_000);
    Check.within("market.execution.maxSlippageBps", maxSlippageBps, 0, 5000);
    Check.atLeast("market.execution.volumeBars", volumeBars, 1);
    if (maxParticipation != null) {
      Check.positive("market.execution.maxParticipation", maxParticipation);
    }
    Check.notNegative("market.execution.lot", lot);
    Check.notNegative("market.execution.minNotional", minNotional);
    Check.fraction("market.execution.minRebalance", minRebalance);
    Check.within("market.execution.borrowRate", borrowRate, 0, 10);
    Check.positive("market.execution.initialCash", initialCash);
  }

  /** The default settings. */
  public static ExecutionSettings defaults() {
    return new ExecutionSettings(10, 5, 10, 500, 42, 0.1, 0, 0, 0.02, 0, 10_000);
  }

  /** Settings without costs, limits or thresholds. */
  public static ExecutionSettings frictionless() {
    return new ExecutionSettings(0, 0, 0, 0, 42, null, 0, 0, 0, 0, 10_000);
  }
}
