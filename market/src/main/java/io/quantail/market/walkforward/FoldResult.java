package io.quantail.market.walkforward;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ChainedAccount;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.TailForecast;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Out-of-sample result of one agent of a walk-forward evaluation.
 *
 * @param fold number of the fold
 * @param seed of the agent
 * @param steps environment steps of its training
 * @param symbols agent and baselines on each symbol; in a purged cross-validation on each tested
 *     group of each symbol
 * @param nextBars forecasts of the agent's next bars in each of these passes; empty if the agent
 *     has none, or if an earlier build stored the result
 */
public record FoldResult(
    int fold,
    long seed,
    long steps,
    List<BaselineComparison> symbols,
    @Nullable List<TailForecast> nextBars)
    implements Serializable {
  public FoldResult {
    symbols = List.copyOf(symbols);
    nextBars = nextBars == null ? List.of() : List.copyOf(nextBars); // earlier builds had none
  }

  @Override
  public List<TailForecast> nextBars() {
    return Objects.requireNonNull(nextBars);
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
