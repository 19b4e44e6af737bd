package io.quantail.market.forecast;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * VaR and CVaR that were forecast for each step of a pass, one bar before. Arrays of equal length,
 * shared, that must not be changed.
 *
 * @param alpha level of both
 * @param var forecast VaR of each step, negative for losses; NaN where there is no forecast
 * @param cvar forecast CVaR of each step, in the same way
 */
public record TailForecast(double alpha, double[] var, double[] cvar) implements Serializable {

  /** The forecasts of passes that follow each other, as a chained account needs them. */
  public static TailForecast chained(List<TailForecast> passes) {
    return new TailForecast(
        passes.get(0).alpha(),
        joined(passes, TailForecast::var),
        joined(passes, TailForecast::cvar));
  }

  private static double[] joined(
      List<TailForecast> passes, Function<TailForecast, double[]> column) {
    return passes.stream().map(column).flatMapToDouble(Arrays::stream).toArray();
  }
}
