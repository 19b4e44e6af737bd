package io.quantail.market.limits;

import java.io.Serializable;

/**
 * How often each limit changed a decision.
 *
 * @param maxWeight decisions cut to the largest weight
 * @param drawdownStop decisions overruled after the drawdown stop
 * @param dailyLossStops times the daily loss stop was triggered
 * @param cooldown decisions overruled while cooling down
 * @param turnover decisions cut by the turnover cap
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
