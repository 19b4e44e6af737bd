package io.quantail.market.setup;

import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.Split;
import io.quantail.market.trading.TradingEnvironment;

/**
 * Training episodes in a market; environment k trades symbol k modulo their number.
 *
 * @param market where they take place
 */
public record MarketEpisodes(Market market) implements EnvironmentFactory {
  public MarketEpisodes {
    // Refused here, before a run begins, rather than when environments are made.
    for (int symbol = 0; symbol < market.instruments().size(); symbol++) {
      episodes(market, symbol);
    }
  }

  @Override
  public Environment create(int index) {
    return episodes(market, index % market.instruments().size());
  }

  private static TradingEnvironment episodes(Market market, int symbol) {
    BarRange range = market.folds().get(symbol).range(Split.TRAIN);
    return TradingEnvironment.training(market.instruments().get(symbol), market.rules(), range);
  }

  @Override
  public String dataFingerprint() {
    return String.join(" ", market.fingerprints());
  }

  /** Validation bars: those of the test are for the last judgement. */
  @Override
  public EnvironmentFactory heldOut() {
    return new MarketPasses(market, Split.VALIDATION);
  }
}
