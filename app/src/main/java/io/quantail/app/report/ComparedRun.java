package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.TailForecast;
import java.util.List;

/**
 * A run on a market in a comparison of several.
 *
 * @param name of the run
 * @param risk its limit
 * @param seed of the bootstrap
 * @param symbols agent and baselines on each symbol
 * @param nextBars forecasts of the next bar on each symbol; empty if there are none
 */
public record ComparedRun(
    String name,
    RiskConfig risk,
    long seed,
    List<BaselineComparison> symbols,
    List<TailForecast> nextBars) {}
