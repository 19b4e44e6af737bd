package io.quantail.market.backtest;

import io.quantail.env.Step;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.execution.TradingAccount;
import io.quantail.market.split.BarRange;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs one pass of a policy over a range of bars, in the environment that agents train in. */
public final class Backtest {
  private Backtest() {}

  /**
   * Runs a pass.
   *
   * @param environment made by {@link TradingEnvironment#pass}
   * @param name of the policy
   */
  public static BacktestResult run(
      TradingEnvironment environment, String name, TradingPolicy policy) {
    BarRange range = environment.range();
    Recorder recorder = new Recorder(environment, range.size() - 1);
    policy.begin();
    float[] observation = environment.reset(RandomStream.of(0, "backtest", 0));
    double initialEquity = environment.account().equity();
    Step step;
    do {
      step = environment.trade(policy.weight(environment, observation));
      observation = step.observation();
      recorder.record();
      policy.onStep(environment, step);
    } while (!step.done());
    return new BacktestResult(
        environment.instrument().symbol(),
        name,
        initialEquity,
        environment.instrument().bars().slice(range.from(), range.to()).barsPerYear(),
        recorder.series(),
        List.copyOf(recorder.trades),
        environment.riskCounts(),
        step.terminated());
  }

  /** Records account and trades after every step. */
  private static final class Recorder {
    private static final int COLUMNS = 8;

    private final TradingEnvironment environment;
    private final long[] times;
    private final double[][] columns;
    private final List<FilledOrder> trades = new ArrayList<>();
    private int size;

    Recorder(TradingEnvironment environment, int capacity) {
      this.environment = environment;
      this.times = new long[capacity];
      this.columns = new double[COLUMNS][capacity];
    }

    void record() {
      TradingAccount account = environment.account();
      int bar = environment.bar();
      times[size] = environment.instrument().prices().time(bar);
      double[] row = {
        environment.instrument().prices().close(bar),
        environment.target(),
        account.exposure(bar),
        account.equity(),
        account.fee(),
        account.slippage(),
        account.borrow(),
        account.traded() / (account.equity() + account.costs() - account.grossProfit()),
      };
      for (int i = 0; i < COLUMNS; i++) {
        columns[i][size] = row[i];
      }
      size++;
      if (account.order() != 0) {
        trades.add(account.trade(bar));
      }
    }

    BacktestResult.Series series() {
      double[][] cut = new double[COLUMNS][];
      Arrays.setAll(cut, i -> Arrays.copyOf(columns[i], size));
      return new BacktestResult.Series(
          Arrays.copyOf(times, size),
          cut[0],
          cut[1],
          cut[2],
          cut[3],
          cut[4],
          cut[5],
          cut[6],
          cut[7]);
    }
  }
}
