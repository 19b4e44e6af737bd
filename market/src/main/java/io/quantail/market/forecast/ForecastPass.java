package io.quantail.market.forecast;

import io.quantail.evidence.QuantileForecast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The forecasts of one pass over a symbol's bars, and the returns that followed. Arrays are shared
 * and must not be changed.
 *
 * @param tail VaR and CVaR of each step
 * @param forecasts of the steps that have one
 * @param returns log-returns of these steps
 * @param units units of these forecasts: the volatility that RiskMetrics forecasts
 * @param idle number of steps without position and order, whose return is 0 for certain
 */
public record ForecastPass(
    TailForecast tail,
    List<QuantileForecast> forecasts,
    double[] returns,
    double[] units,
    int idle) {

  /**
   * Forecasts every step of a pass.
   *
   * @param rows of the pass, as {@link RowRecorder} recorded them
   */
  public static ForecastPass of(
      NextBarForecaster forecaster, List<ForecastRow> rows, double alpha) {
    double[] var = new double[rows.size()];
    double[] cvar = new double[rows.size()];
    Arrays.fill(var, Double.NaN);
    Arrays.fill(cvar, Double.NaN);
    List<QuantileForecast> forecasts = new ArrayList<>();
    for (int step = 0; step < var.length; step++) {
      if (rows.get(step).usable()) {
        QuantileForecast forecast = forecaster.forecast(rows.get(step));
        var[step] = forecast.quantile(alpha);
        cvar[step] = forecast.cvar(alpha);
        forecasts.add(forecast);
      }
    }
    List<ForecastRow> usable = rows.stream().filter(ForecastRow::usable).toList();
    return new ForecastPass(
        new TailForecast(alpha, var, cvar),
        forecasts,
        usable.stream().mapToDouble(ForecastRow::logReturn).toArray(),
        usable.stream().mapToDouble(ForecastRow::unit).toArray(),
        (int) rows.stream().filter(ForecastRow::idle).count());
  }

  /** The same pass with only those forecasts whose CVaR is a loss. */
  ForecastPass losses(double level) {
    int[] kept =
        IntStream.range(0, returns.length).filter(i -> forecasts.get(i).cvar(level) < 0).toArray();
    return new ForecastPass(
        tail,
        Arrays.stream(kept).mapToObj(forecasts::get).toList(),
        Arrays.stream(kept).mapToDouble(i -> returns[i]).toArray(),
        Arrays.stream(kept).mapToDouble(i -> units[i]).toArray(),
        idle);
  }
}
