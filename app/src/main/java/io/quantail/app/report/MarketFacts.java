package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.market.backtest.Forecast;
import io.quantail.market.desk.Comparison;
import java.util.List;
import java.util.Optional;

/**
 * How an agent did on a market.
 *
 * @param verdict one sentence: whether it beat buy-and-hold, with the numbers
 * @param good whether it beat buy-and-hold and made money
 * @param bars which bars, such as {@code test}
 * @param evaluationSeed of the random baseline and of the bootstrap; null if it is not known
 * @param gamma discount per bar of the returns that the critics predict
 * @param risk the limit on the tail
 * @param symbols each symbol by itself
 */
public record MarketFacts(
    String verdict,
    boolean good,
    String bars,
    Long evaluationSeed,
    double gamma,
    RiskConfig risk,
    List<SymbolFacts> symbols) {

  /**
   * @param comparison agent and baselines
   * @param forecast what the agent expected, if it was written down
   * @param fingerprint of the bars, if it is known
   */
  public record SymbolFacts(
      Comparison comparison, Optional<Forecast> forecast, Optional<String> fingerprint) {}
}
