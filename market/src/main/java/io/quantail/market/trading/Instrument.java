package io.quantail.market.trading;

import io.quantail.market.data.Bars;
import io.quantail.market.execution.PriceSeries;
import io.quantail.market.feature.FeatureMatrix;
import io.quantail.market.feature.VolatilityEstimators;

/**
 * A symbol that can be traded: observed features and execution prices in separate arrays, both
 * indexed by bar.
 *
 * @param bars source of features and prices
 * @param features observed at each close
 * @param prices at which orders are filled and positions are marked
 * @param volatility EWMA volatility at each close; unit of the features of an account
 */
public record Instrument(
    Bars bars, FeatureMatrix features, PriceSeries prices, double[] volatility) {

  /**
   * An instrument with the prices and volatility of its bars.
   *
   * @param volumeBars number of bars of the average quote volume
   */
  public static Instrument of(Bars bars, FeatureMatrix features, int volumeBars) {
    return new Instrument(
        bars, features, new PriceSeries(bars, volumeBars), VolatilityEstimators.ewma(bars));
  }

  /** The name of the symbol. */
  public String symbol() {
    return bars.symbol();
  }
}
