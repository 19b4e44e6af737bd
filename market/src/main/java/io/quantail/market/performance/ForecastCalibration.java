package io.quantail.market.performance;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ForecastSeries;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.risk.EmpiricalCvar;
import java.util.Arrays;

/**
 * Calibration of an agent's forecasts: predicted against realised returns.
 *
 * <p>The prediction is the critics' distribution of the discounted return of a decision. The
 * realised return is {@code G[t] = Σ gamma^k ln(E[t+k+1] / E[t+k])}, with the run's gamma, to the
 * end of the pass. Decisions for which more than {@value #OPEN_END} of the discount weight lies
 * beyond the end are omitted, unless the account itself ended. Tested by {@code
 * ForecastCalibrationTest}.
 *
 * @param gamma discount per bar
 * @param decisions number of decisions compared
 * @param tooLate number of decisions omitted because too much of their return lies beyond the data
 * @param independent effective number of independent decisions: returns of neighbours overlap, and
 *     the autocorrelation {@code gamma^k} leaves a fraction of {@code (1 - gamma) / (1 + gamma)}
 * @param coverage fraction of the realised returns at or below the predicted quantiles, at {@link
 *     ForecastSeries#LEVELS}; equal to the levels for a calibrated forecast
 * @param between fraction of the realised returns in each of the ten intervals between predicted
 *     deciles; 0.1 each for a calibrated forecast
 * @param predictedMean mean of the predicted expected values
 * @param realisedMean mean of the realised returns
 * @param predictedCvar mean over decisions of the predicted CVaR
 * @param realisedCvar mean of the worst fraction {@code alpha} of the realised returns
 * @param alpha fraction of the worst returns in both CVaRs
 */
public record ForecastCalibration(
    double gamma,
    int decisions,
    int tooLate,
    double independent,
    double[] coverage,
    double[] between,
    double predictedMean,
    double realisedMean,
    double predictedCvar,
    double realisedCvar,
    double alpha) {
  private static final double OPEN_END = 0.05;
  private static final double[] DECILES = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

  /**
   * Compares the forecasts of a pass with its returns.
   *
   * @param gamma discount of the run
   */
  public static ForecastCalibration of(
      BacktestResult result, ForecastSeries forecast, double gamma) {
    double[] futures = futures(result.logReturns(), gamma);
    int bars = futures.length;
    int last = result.ruined() ? bars : bars - horizon(gamma, bars);
    int count = (int) Arrays.stream(forecast.steps()).filter(step -> step < last).count();
    double[] realised = new double[count];
    Arrays.setAll(realised, row -> futures[forecast.steps()[row]]);
    double[] coverage = new double[ForecastSeries.LEVELS.size()];
    Arrays.setAll(coverage, level -> shareBelow(realised, forecast.quantiles()[level]));
    double stride = count > 1 ? forecast.steps()[1] - forecast.steps()[0] : 1;
    double memory = Math.pow(gamma, stride);
    return new ForecastCalibration(
        gamma,
        count,
        forecast.size() - count,
        count * (1 - memory) / (1 + memory),
        coverage,
        between(coverage),
        ReturnSeriesStatistics.mean(Arrays.copyOf(forecast.means(), count)),
        ReturnSeriesStatistics.mean(realised),
        ReturnSeriesStatistics.mean(Arrays.copyOf(forecast.cvars(), count)),
        count == 0 ? Double.NaN : EmpiricalCvar.empirical(realised, forecast.alpha(), 0).cvar(),
        forecast.alpha());
  }

  /** The discounted sum of the log-returns from each step on. */
  static double[] futures(double[] logReturns, double gamma) {
    double[] futures = new double[logReturns.length];
    double next = 0;
    for (int t = logReturns.length - 1; t >= 0; t--) {
      next = logReturns[t] + gamma * next;
      futures[t] = next;
    }
    return futures;
  }

  /**
   * Number of bars until at most {@value #OPEN_END} of the weight is left; at most {@code bars}.
   */
  private static int horizon(double gamma, int bars) {
    if (gamma == 0) {
      return 0;
    }
    double needed = gamma == 1 ? bars : Math.ceil(Math.log(OPEN_END) / Math.log(gamma)) - 1;
    return (int) Math.min(bars, needed);
  }

  private static double shareBelow(double[] realised, double[] quantiles) {
    int below = 0;
    for (int i = 0; i < realised.length; i++) {
      below += realised[i] <= quantiles[i] ? 1 : 0;
    }
    return realised.length == 0 ? Double.NaN : (double) below / realised.length;
  }

  private static double[] between(double[] coverage) {
    double[] shares = new double[DECILES.length + 1];
    double before = 0;
    for (int i = 0; i < DECILES.length; i++) {
      double below = coverage[ForecastSeries.LEVELS.indexOf(DECILES[i])];
      shares[i] = below - before;
      before = below;
    }
    shares[DECILES.length] = 1 - before;
    return shares;
  }
}
