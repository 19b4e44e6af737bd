package io.quantail.market.performance;

import io.quantail.calibration.CalibrationSample;
import io.quantail.calibration.CalibrationSummary;
import io.quantail.calibration.RealisedReturns;
import io.quantail.config.RiskConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ForecastSeries;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.risk.EmpiricalCvar;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Calibration of an agent's forecasts on one pass, which counts as one long episode.
 *
 * <p>The prediction is the critics' distribution of the discounted return of a decision. The
 * realised return is {@code G[t] = Σ gamma^k ln(E[t+k+1] / E[t+k])}, with the run's gamma, to the
 * end of the pass. Decisions with fewer known rewards than {@link RealisedReturns#horizon} are
 * omitted, unless the account itself ended. {@link CalibrationSample} compares the two, as in
 * training. Tested by {@code ForecastCalibrationTest}.
 *
 * @param gamma discount per bar
 * @param decisions number of decisions compared
 * @param tooLate number of decisions omitted because too much of their return lies beyond the data
 * @param measured how well the predictions fit; null if there are no decisions
 * @param coverage fraction of the realised returns at or below the predicted quantiles, at {@link
 *     #LEVELS}; equal to the levels for a calibrated forecast
 * @param between fraction of the realised returns in each of the ten intervals between predicted
 *     deciles; 0.1 each for a calibrated forecast
 * @param predictedMean mean of the predicted expected values
 * @param realisedMean mean of the realised returns
 * @param predictedCvar mean over decisions of the predicted CVaR
 * @param realisedCvar mean of the worst fraction {@code risk.alpha} of the realised returns
 */
public record ForecastCalibration(
    double gamma,
    int decisions,
    int tooLate,
    @Nullable CalibrationSummary measured,
    double[] coverage,
    double[] between,
    double predictedMean,
    double realisedMean,
    double predictedCvar,
    double realisedCvar) {
  /** Levels of {@code coverage}. */
  public static final List<Double> LEVELS =
      List.of(0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99);

  private static final int INTERVALS = 10;

  /**
   * Compares the forecasts of a pass with its returns.
   *
   * @param gamma discount of the run
   */
  public static ForecastCalibration of(
      BacktestResult result, ForecastSeries forecast, double gamma) {
    CalibrationSample sample = new CalibrationSample(forecast.critic(), forecast.risk());
    double[] realised = compare(sample, result, forecast, gamma);
    RiskConfig risk = forecast.risk();
    double[] means = new double[realised.length];
    double[] cvars = new double[realised.length];
    for (int row = 0; row < realised.length; row++) {
      float[] outputs = forecast.outputs()[row];
      forecast.critic().read(outputs, 0);
      means[row] = forecast.scale().denormalize(forecast.critic().mean(outputs, 0));
      cvars[row] =
          forecast.scale().denormalize(forecast.critic().cvar(risk.alpha(), risk.method()));
    }
    return new ForecastCalibration(
        gamma,
        realised.length,
        forecast.size() - realised.length,
        sample.summary().orElse(null),
        LEVELS.stream().mapToDouble(sample::coverage).toArray(),
        between(sample),
        ReturnSeriesStatistics.mean(means),
        ReturnSeriesStatistics.mean(realised),
        ReturnSeriesStatistics.mean(cvars),
        realised.length == 0
            ? Double.NaN
            : EmpiricalCvar.empirical(realised, risk.alpha(), 0).cvar());
  }

  /**
   * Compares the forecasts of several passes with their returns.
   *
   * @param results passes of the same agent
   * @param forecasts of each pass
   * @param gamma discount of the run
   * @return the measurement over all passes; empty if the passes are too short
   */
  public static Optional<CalibrationSummary> pooled(
      List<BacktestResult> results, List<ForecastSeries> forecasts, double gamma) {
    ForecastSeries first = forecasts.get(0);
    CalibrationSample sample = new CalibrationSample(first.critic(), first.risk());
    for (int i = 0; i < results.size(); i++) {
      compare(sample, results.get(i), forecasts.get(i), gamma);
    }
    return sample.summary();
  }

  /** Adds the decisions of a pass to a sample and returns their realised returns. */
  private static double[] compare(
      CalibrationSample sample, BacktestResult result, ForecastSeries forecast, double gamma) {
    double[] rewards = result.logReturns();
    boolean[] ended = new boolean[rewards.length];
    boolean[] cut = new boolean[rewards.length];
    (result.ruined() ? ended : cut)[rewards.length - 1] = true;
    RealisedReturns returns = RealisedReturns.of(1, rewards, ended, cut, gamma);
    long horizon = RealisedReturns.horizon(gamma);
    double[] realised =
        IntStream.range(0, forecast.size())
            .map(row -> row * forecast.stride())
            .filter(step -> returns.counts(step, horizon))
            .mapToDouble(returns::sum)
            .toArray(); // those of the first rows: later ones have fewer rewards
    for (int row = 0; row < realised.length; row++) {
      sample.add(forecast.outputs()[row], 0, forecast.scale(), realised[row], 0);
    }
    sample.addIndependent(
        gamma == 1
            ? Math.min(1, realised.length)
            : CalibrationSample.independent(gamma, realised.length, forecast.stride()));
    return realised;
  }

  private static double[] between(CalibrationSample sample) {
    double[] shares = new double[INTERVALS];
    double before = 0;
    for (int i = 0; i < INTERVALS; i++) {
      double below = i < INTERVALS - 1 ? sample.coverage((i + 1) / 10.0) : 1;
      shares[i] = below - before;
      before = below;
    }
    return shares;
  }

  /** Number of independent decisions that the compared ones are worth. */
  public double independent() {
    return measured == null ? 0 : measured.independent();
  }
}
