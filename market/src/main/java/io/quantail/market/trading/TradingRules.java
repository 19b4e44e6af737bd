package io.quantail.market.trading;

import io.quantail.market.execution.ExecutionSettings;
import io.quantail.market.limits.TradingLimits;

/**
 * What holds for every account of a run.
 *
 * @param actions what an action means
 * @param execution how orders are filled
 * @param risk limits between decision and order
 * @param episode when training episodes end
 */
public record TradingRules(
    TargetWeightMap actions,
    ExecutionSettings execution,
    TradingLimits risk,
    EpisodeSettings episode) {}
