package io.quantail.market.forecast;

import io.quantail.env.Step;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.execution.TradingAccount;
import io.quantail.market.trading.TradingEnvironment;
import java.util.ArrayList;
import java.util.List;

/** Records a row of every step that a policy takes, one list for each pass. */
public final class RowRecorder implements TradingPolicy {
  private final TradingPolicy policy;
  private final List<List<ForecastRow>> passes = new ArrayList<>();
  private float[] observation = {};
  private double volatility;

  /** Records the steps of a policy, which acts as it does alone. */
  public RowRecorder(TradingPolicy policy) {
    this.policy = policy;
  }

  @Override
  public void begin() {
    policy.begin();
    passes.add(new ArrayList<>());
  }

  @Override
  public double weight(TradingEnvironment account, float[] seen) {
    observation = seen.clone(); // the environment overwrites it in the step
    volatility = account.instrument().volatility()[account.bar()];
    return policy.weight(account, seen);
  }

  @Override
  public void onStep(TradingEnvironment account, Step step) {
    policy.onStep(account, step);
    TradingAccount books = account.account();
    double weight = account.ordered();
    passes
        .get(passes.size() - 1)
        .add(
            new ForecastRow(
                ForecastRow.input(observation, 0, observation.length, weight),
                ForecastRow.unit(volatility, weight),
                step.reward(),
                books.units() == 0 && books.order() == 0));
  }

  /** The rows of all passes so far, in order. */
  public List<List<ForecastRow>> passes() {
    return passes;
  }
}
