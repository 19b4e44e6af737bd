package io.quantail.market.trading;

import io.quantail.market.split.BarRange;

/**
 * Training bars of one symbol; an episode lies inside one range.
 *
 * @param symbol index of the symbol
 * @param instrument features and prices, computed from no bars but those that training may see
 * @param range training bars, counted in the bars of the instrument
 */
public record TrainingRange(int symbol, Instrument instrument, BarRange range) {
  /** The number of bars at which an episode can start; 0 or less if the range is too short. */
  public int starts(TradingRules rules) {
    return TradingEnvironment.starts(instrument, rules, range);
  }
}
