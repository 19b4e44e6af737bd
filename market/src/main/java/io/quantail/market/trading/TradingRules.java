package io.quantail.market.trading;

import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.limits.TradingLimits;

/**
 * Rules of every account of a run.
 *
 * @param actions conversion of actions to target weights, in {@code units}
 * @param units unit of these weights
 * @param execution execution and costs of orders
 * @param risk limits between decision and order
 * @param episode length and termination of training episodes
 */
public record TradingRules(
    TargetWeightMap actions,
    RiskUnits units,
    ExecutionSettings execution,
    TradingLimits risk,
    EpisodeSettings episode) {

  /** Rules of accounts whose actions are plain weights. */
  public TradingRules(
      TargetWeightMap actions,
      ExecutionSettings execution,
      TradingLimits risk,
      EpisodeSettings episode) {
    this(actions, RiskUnits.NONE, execution, risk, episode);
  }
}
