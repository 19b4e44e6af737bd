package io.quantail.market.limits;

import java.io.Serializable;

/**
 * Number of decisions that each limit changed.
 *
 * @param maxWeight decisions reduced to the largest weight
 * @param drawdownStop decisions overruled after the drawdown stop
 * @param dailyLossStops times that the daily loss stop was triggered
 * @param cooldown decisions overruled during the cool-down
 * @param turnover decisions reduced by the turnover limit
 * @param killFile decisions overruled by the kill file
 */
public record LimitCounts(
    long maxWeight,
    long drawdownStop,
    long dailyLossStops,
    long cooldown,
    long turnover,
    long killFile)
    implements Serializable {}
