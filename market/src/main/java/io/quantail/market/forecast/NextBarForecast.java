package io.quantail.market.forecast;

import io.quantail.evidence.QuantileForecast;
import io.quantail.market.trading.TradingEnvironment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The forecast of one bar: the log-return of the account from the close of a decision to the next
 * close, net of costs.
 *
 * @param alpha level of {@code var} and {@code cvar}
 * @param var return below which the account falls with probability {@code alpha}
 * @param cvar mean of the returns below it
 * @param quantiles by level
 */
public record NextBarForecast(
    double alpha, double var, double cvar, Map<String, Double> quantiles) {

  /**
   * The forecast at the close of a decision.
   *
   * @param account at that close
   * @param target weight, after risk limits
   * @return empty if there is neither a position nor an order, so that the account cannot change
   */
  public static Optional<NextBarForecast> of(
      NextBarForecaster forecaster,
      TradingEnvironment account,
      float[] observation,
      double target,
      double alpha) {
    double volatility = account.instrument().volatility()[account.bar()];
    double weight = account.account().ordered(account.bar(), target);
    ForecastRow row =
        new ForecastRow(
            ForecastRow.input(observation, 0, observation.length, weight),
            ForecastRow.unit(volatility, weight),
            0,
            account.account().units() == 0 && weight == 0);
    if (!row.usable()) {
      return Optional.empty();
    }
    QuantileForecast forecast = forecaster.forecast(row);
    Map<String, Double> quantiles = new LinkedHashMap<>();
    for (double level : NextBarForecaster.levels()) {
      quantiles.put(Double.toString(level), forecast.quantile(level));
    }
    return Optional.of(
        new NextBarForecast(alpha, forecast.quantile(alpha), forecast.cvar(alpha), quantiles));
  }
}
