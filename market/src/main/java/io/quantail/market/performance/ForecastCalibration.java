package io.quantail.market.performance;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ForecastSeries;
import io.quantail.risk.EmpiricalCvar;
import java.util.Arrays;

/**
 * What an agent expected beside what came.
 *
 * <p>Expected: the critics' distribution of the discounted return from a decision on. Came: {@code
 * G[t] = Σ gamma^k ln(E[t+k+1] / E[t+k])}, with the run's gamma, to the end of the pass. Decisions
 * for which more than {@value #OPEN_END} of the weight lies beyond the end are left out, unless the
 * account itself ended. {@code ForecastCalibrationTest} pins it.
 *
 * @param gamma discount per bar
 * @param decisions how many could be compared
 * @param tooLate how many were left out because their future is not in the data
 * @param independent about how many independent ones they count for: neighbours share most of their
 *     future, and the autocorrelation {@code gamma^k} leaves {@code (1 - gamma) / (1 + gamma)}
 * @param coverage share of the realised returns at or below the predicted quantiles, at {@link
 *     Forecast#LEVELS}; equal to the levels if the forecast is right
 * @param between share of the realised returns that fall between predicted deciles, ten of them;
 *     0.1 each if the forecast is right
 * @param predictedMean mean of the expected values
 * @param realisedMean mean of what came
 * @param predictedCvar mean over decisions of the predicted CVaR
 * @param realisedCvar mean of the worst share {@code alpha} of what came
 * @param alpha that share
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

  /** Bars until no more than {@value #OPEN_END} of the weight is left; all of them if never. */
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
