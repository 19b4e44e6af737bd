package io.quantail.market.evaluation;

import java.util.List;

/**
 * What the evaluated bars prove about an agent, in this order: profit after costs, the baselines,
 * alpha and beta, the paired comparison with its own mean weight, and the luck of its Sharpe ratio.
 *
 * @param account the only symbol's account, or the combined one of all symbols
 * @param symbols account of each symbol; empty for a single symbol
 */
public record Verdict(AccountVerdict account, List<AccountVerdict> symbols) {

  /**
   * Weighs an agent and its baselines.
   *
   * @param symbols of one evaluation
   * @param seed of the bootstrap
   */
  public static Verdict of(List<BaselineComparison> symbols, long seed) {
    if (symbols.size() == 1) {
      return new Verdict(AccountVerdict.of(symbols.get(0).symbol(), symbols, seed), List.of());
    }
    return new Verdict(
        AccountVerdict.of(null, symbols, seed),
        symbols.stream()
            .map(symbol -> AccountVerdict.of(symbol.symbol(), List.of(symbol), seed))
            .toList());
  }
}
