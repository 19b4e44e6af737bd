package io.quantail.market.performance;

import java.io.Serializable;

/**
 * How an account did; every formula is in {@code docs/trading.md}. A number that is not defined,
 * such as a Sharpe ratio without spread, is NaN.
 *
 * @param bars number of steps
 * @param barsPerYear what is annualised with
 * @param totalReturn last equity over first, minus 1
 * @param annualReturn compound return per year
 * @param volatility standard deviation of returns (ddof 1), annualised
 * @param sharpe mean over standard deviation (ddof 1), annualised
 * @param sharpeInterval 95 % by a seeded block bootstrap
 * @param sortino mean over the root of the mean square of min(r, 0) over all returns, annualised
 * @param calmar annual return over largest drawdown
 * @param maxDrawdown largest fall from a peak, as a positive share
 * @param maxDrawdownBars longest time below a peak
 * @param cvar mean of returns at or below their 5 % quantile
 * @param cvarCount how many returns that are
 * @param winRate share of gains among the bars that gained or lost
 * @param winRateInterval 95 %, Wilson
 * @param profitFactor sum of gains over sum of losses; infinite without losses
 * @param exposure mean weight
 * @param absoluteExposure mean absolute weight
 * @param exposureChange mean absolute change of weight per bar
 * @param annualTurnover traded money over equity, per year
 * @param costDrag all costs over initial equity
 * @param fees money
 * @param slippage money
 * @param borrow money
 * @param trades filled orders
 * @param positions round trips: from flat to flat, or through zero
 * @param positionWinRate share of round trips with a gain after costs
 */
public record Performance(
    int bars,
    double barsPerYear,
    double totalReturn,
    double annualReturn,
    double volatility,
    double sharpe,
    ConfidenceInterval sharpeInterval,
    double sortino,
    double calmar,
    double maxDrawdown,
    int maxDrawdownBars,
    double cvar,
    int cvarCount,
    double winRate,
    ConfidenceInterval winRateInterval,
    double profitFactor,
    double exposure,
    double absoluteExposure,
    double exposureChange,
    double annualTurnover,
    double costDrag,
    double fees,
    double slippage,
    double borrow,
    int trades,
    int positions,
    double positionWinRate)
    implements Serializable {}
