package io.quantail.market.forecast;

/**
 * The forecasts of an agent's next bars on one symbol.
 *
 * @param pass forecasts and returns
 * @param result tests of them
 */
public record SymbolForecast(ForecastPass pass, ForecastResult result) {}
