package io.quantail.market.setup;

import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.split.Split;
import java.util.OptionalInt;

/**
 * One pass over a part of each symbol's bars; environment k trades symbol k modulo their number.
 *
 * @param market where they take place
 * @param part which bars
 */
public record MarketPasses(Market market, Split part) implements EnvironmentFactory {
  @Override
  public Environment create(int index) {
    return market.pass(index % market.instruments().size(), part);
  }

  @Override
  public OptionalInt differentEpisodes() {
    return OptionalInt.of(market.instruments().size());
  }
}
