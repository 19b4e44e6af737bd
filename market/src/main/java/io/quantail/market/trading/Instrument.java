package io.quantail.market.trading;

import io.quantail.market.data.Bars;
import io.quantail.market.execution.PriceSeries;
import io.quantail.market.feature.FeatureMatrix;
import io.quantail.market.feature.VolatilityEstimators;

/**
 * A symbol, ready to be traded: what is seen and what is paid, in separate arrays, so that nothing
 * ever has to be shifted.
 *
 * @param bars where both come from
 * @param features what is seen at each close
 * @param prices what orders are filled and positions marked at
 * @param volatility EWMA volatility at each close; the unit of the account's own features
 */
public record Instrument(
    Bars bars, FeatureMatrix features, PriceSeries prices, double[] volatility) {

  public static Instrument of(Bars bars, FeatureMatrix features, int volumeBars) {
    return new Instrument(
        bars, features, new PriceSeries(bars, volumeBars), VolatilityEstimators.ewma(bars));
  }

  public String symbol() {
    return bars.symbol();
  }
}
