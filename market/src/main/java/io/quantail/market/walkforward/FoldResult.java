package io.quantail.market.walkforward;

import io.quantail.market.evaluation.BaselineComparison;
import java.io.Serializable;
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
    return BaselineComparison.totalReturn(symbols, policy);
  }
}
