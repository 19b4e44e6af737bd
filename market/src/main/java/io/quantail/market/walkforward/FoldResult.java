package io.quantail.market.walkforward;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ChainedAccount;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.evaluation.BaselineComparison;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Out-of-sample result of one agent of a walk-forward evaluation.
 *
 * @param fold number of the fold
 * @param seed of the agent
 * @param steps environment steps of its training
 * @param symbols agent and baselines on each symbol; in a purged cross-validation on each tested
 *     group of each symbol
 */
public record FoldResult(int fold, long seed, long steps, List<BaselineComparison> symbols)
    implements Serializable {
  public FoldResult {
    symbols = List.copyOf(symbols);
  }

  /** Return of a policy's account that is divided equally among the symbols. */
  public double totalReturn(String policy) {
    return totalReturn(policy, 1);
  }

  /**
   * The same return in a purged cross-validation.
   *
   * @param groups number of tested groups of each symbol, which are chained
   */
  public double totalReturn(String policy, int groups) {
    List<BacktestResult> passes = BaselineComparison.results(symbols, policy);
    List<BacktestResult> accounts = new ArrayList<>();
    for (int first = 0; first < passes.size(); first += groups) {
      List<BacktestResult> own = passes.subList(first, first + groups);
      accounts.add(ChainedAccount.of(own.get(0).symbol(), own));
    }
    return CombinedAccount.of(accounts).totalReturn();
  }
}
