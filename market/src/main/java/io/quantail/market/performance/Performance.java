package io.quantail.market.performance;

import io.quantail.evidence.ConfidenceInterval;
import io.quantail.evidence.SharpeBootstrap;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BacktestResult.Series;
import io.quantail.math.ProportionInterval;
import io.quantail.math.ReturnSeriesStatistics;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Performance measures of an account; {@code docs/guides/markets.md} has the formulas. Undefined
 * values, such as the Sharpe ratio of constant returns, are NaN. Nothing is annualised from less
 * than {@value #FEWEST_DAYS} days: annualised values are then NaN.
 *
 * @param bars number of steps
 * @param barsPerYear for annualisation
 * @param totalReturn last over initial equity, minus 1
 * @param annualReturn compound return per year
 * @param volatility standard deviation of returns (ddof 1), annualised
 * @param sharpe mean over standard deviation (ddof 1), annualised
 * @param sharpeInterval 95 % confidence interval by a seeded block bootstrap
 * @param sortino mean over the root of the mean square of min(r, 0) over all returns, annualised
 * @param calmar annual return over max drawdown
 * @param maxDrawdown largest drawdown from a peak, as a positive fraction
 * @param maxDrawdownBars largest number of consecutive bars below a peak
 * @param cvar mean of returns at or below their 5 % quantile
 * @param cvarCount number of those returns
 * @param winRate fraction of gains among the bars with a gain or a loss
 * @param winRateInterval 95 % confidence interval of Wilson
 * @param profitFactor sum of gains over sum of losses; infinite without losses
 * @param exposure mean weight
 * @param absoluteExposure mean absolute weight
 * @param exposureChange mean absolute change of weight per bar
 * @param annualTurnover traded money over equity, per year
 * @param costDrag all costs over initial equity
 * @param fees sum of fees, in money
 * @param slippage sum of slippage, in money
 * @param borrow sum of borrowing costs, in money
 * @param trades number of filled orders
 * @param positions number of positions, see {@link HoldingTimes}
 * @param positionWinRate fraction of positions with a gain after costs
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
    implements Serializable {
  /** Fewer days are not annualised. */
  public static final int FEWEST_DAYS = 90;

  static final double DAYS_PER_YEAR = 365.25;
  private static final double CONFIDENCE = 0.95;
  private static final double TAIL = 0.05;

  /**
   * Computes all measures of a pass.
   *
   * @param seed of the bootstrap
   */
  public static Performance of(BacktestResult result, long seed) {
    Series series = result.series();
    double[] returns = result.returns();
    double n = result.barsPerYear();
    double year = annualBars(returns.length, n);
    double last = series.equity()[series.size() - 1];
    double total = last / result.initialEquity() - 1;
    double annual = Math.pow(Math.max(0, 1 + total), year / returns.length) - 1;
    ReturnSeriesStatistics.Drawdown drawdown =
        ReturnSeriesStatistics.drawdown(result.initialEquity(), series.equity());
    double[] tail = tail(returns);
    int wins = (int) Arrays.stream(returns).filter(value -> value > 0).count();
    int decided = wins + ReturnSeriesStatistics.losses(returns);
    HoldingTimes positions = HoldingTimes.of(result);
    double fees = sum(series.fees());
    double slippage = sum(series.slippage());
    double borrow = sum(series.borrow());
    return new Performance(
        returns.length,
        n,
        total,
        annual,
        ReturnSeriesStatistics.deviation(returns) * Math.sqrt(year),
        ReturnSeriesStatistics.sharpe(returns, year),
        SharpeBootstrap.interval(returns, year, CONFIDENCE, seed),
        ReturnSeriesStatistics.sortino(returns, year),
        drawdown.depth() == 0 ? Double.NaN : annual / drawdown.depth(),
        drawdown.depth(),
        drawdown.bars(),
        ReturnSeriesStatistics.mean(tail),
        tail.length,
        decided == 0 ? Double.NaN : (double) wins / decided,
        winRateInterval(wins, decided),
        ReturnSeriesStatistics.profitFactor(returns),
        ReturnSeriesStatistics.mean(series.exposures()),
        Arrays.stream(series.exposures()).map(Math::abs).average().orElseThrow(),
        exposureChange(series.exposures()),
        sum(series.turnover()) / returns.length * year,
        (fees + slippage + borrow) / result.initialEquity(),
        fees,
        slippage,
        borrow,
        result.trades().size(),
        positions.positions(),
        positions.winRate());
  }

  /** Calendar days that the bars cover. */
  public double days() {
    return days(bars, barsPerYear);
  }

  /** Bars per year for annualisation; NaN, which makes all that uses it NaN, for too few days. */
  public static double annualBars(int bars, double barsPerYear) {
    return days(bars, barsPerYear) < FEWEST_DAYS ? Double.NaN : barsPerYear;
  }

  private static double days(int bars, double barsPerYear) {
    return bars / barsPerYear * DAYS_PER_YEAR;
  }

  /** Whether the bars cover enough days for annualised values. */
  public boolean annualised() {
    return !Double.isNaN(annualBars(bars, barsPerYear));
  }

  private static ConfidenceInterval winRateInterval(int wins, int decided) {
    ProportionInterval interval = ProportionInterval.wilson(wins, decided, CONFIDENCE);
    return new ConfidenceInterval(interval.low(), interval.high());
  }

  /** Returns at or below the 5 % quantile. */
  private static double[] tail(double[] returns) {
    double limit = ReturnSeriesStatistics.quantile(returns, TAIL);
    return Arrays.stream(returns).filter(value -> value <= limit).toArray();
  }

  private static double exposureChange(double[] exposures) {
    double sum = Math.abs(exposures[0]);
    for (int i = 1; i < exposures.length; i++) {
      sum += Math.abs(exposures[i] - exposures[i - 1]);
    }
    return sum / exposures.length;
  }

  private static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }
}
