package io.quantail.market;

import io.quantail.market.split.BarRange;
import io.quantail.market.trading.Instrument;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TradingRules;

/**
 * One pass of an evaluation.
 *
 * @param name of the symbol; with the number of the group if a symbol has several passes
 * @param symbol index of the symbol in {@link Market#instruments}
 * @param instrument traded symbol
 * @param rules of the account
 * @param range bars to trade on
 * @param sold whether the position is sold at the last close, with costs
 */
public record MarketPass(
    String name,
    int symbol,
    Instrument instrument,
    TradingRules rules,
    BarRange range,
    boolean sold) {
  private static final String GROUP = ", group ";

  /**
   * Names the pass over one of several groups of bars.
   *
   * @param symbol name of the symbol
   * @param group number of the group
   * @return such as {@code AAPL, group 3}
   */
  static String name(String symbol, int group) {
    return symbol + GROUP + group;
  }

  /**
   * Returns the symbol of the pass over one of several groups of bars.
   *
   * @param pass name of the pass
   * @return name of the symbol
   */
  public static String symbol(String pass) {
    int end = pass.lastIndexOf(GROUP);
    return end < 0 ? pass : pass.substring(0, end);
  }

  /**
   * Creates the environment of the pass.
   *
   * @return an environment with one episode over the bars
   * @throws io.quantail.market.data.DataException if there are too few bars
   */
  public TradingEnvironment environment() {
    return TradingEnvironment.pass(instrument, rules, range);
  }
}
