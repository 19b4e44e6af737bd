package io.quantail.market.walk;

import io.quantail.market.desk.Comparison;
import java.io.Serializable;
import java.util.List;

/**
 * What one agent of a walk forward did on the bars after those it learnt from.
 *
 * @param fold number of the fold
 * @param seed of the agent
 * @param steps environment steps it learnt from
 * @param symbols the agent beside its baselines, for each symbol
 */
public record FoldOutcome(int fold, long seed, long steps, List<Comparison> symbols)
    implements Serializable {
  public FoldOutcome {
    symbols = List.copyOf(symbols);
  }

  /** Return of a policy's account that is divided equally among the symbols. */
  public double totalReturn(String policy) {
    return Returns.mean(symbols, policy);
  }
}
