package io.quantail.market.backtest;

import io.quantail.env.Step;
import io.quantail.market.MarketPass;
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
   * Runs a pass of an evaluation; its position is sold at the last close if the pass says so.
   *
   * @param name of the policy
   */
  public static BacktestResult run(MarketPass pass, String name, TradingPolicy policy) {
    return run(pass.environment(), pass.name(), name, policy, pass.sold());
  }

  /**
   * Runs a pass that leaves its position open at the end.
   *
   * @param environment made by {@link TradingEnvironment#pass}
   * @param name of the policy
   */
  public static BacktestResult run(
      TradingEnvironment environment, String name, TradingPolicy policy) {
    return run(environment, environment.instrument().symbol(), name, policy, false);
  }

  private static BacktestResult run(
      TradingEnvironment environment,
      String symbol,
      String name,
      TradingPolicy policy,
      boolean sold) {
    BarRange range = environment.range();
    Recorder recorder = new Recorder(environment, range.size() - 1);
    policy.begin();
    float[] observation = environment.reset(RandomStream.of(0, "backtest", 0));
    BacktestResult.Start start = start(environment);
    Step step;
    do {
      step = environment.trade(policy.weight(environment, observation));
      observation = step.observation();
      recorder.record();
      policy.onStep(environment, step);
    } while (!step.done());
    if (sold) {
      recorder.sell();
    }
    return new BacktestResult(
        symbol,
        name,
        start,
        environment.instrument().bars().slice(range.from(), range.to()).barsPerYear(),
        recorder.series(),
        List.copyOf(recorder.trades),
        environment.riskCounts(),
        step.isTerminated());
  }

  private static BacktestResult.Start start(TradingEnvironment environment) {
    var prices = environment.instrument().prices();
    int bar = environment.bar();
    return new BacktestResult.Start(
        prices.time(bar), prices.close(bar), environment.account().equity());
  }

  /** Records account and trades after every step. */
  private static final class Recorder {
    private static final int COLUMNS = 8;
    private static final int EXPOSURE = 2;
    private static final int EQUITY = 3;
    private static final int FEE = 4;
    private static final int SLIPPAGE = 5;
    private static final int TURNOVER = 7;

    private final TradingEnvironment environment;
    private final long[] times;
    private final double[][] columns;
    private final List<FilledOrder> trades = new ArrayList<>();
    private int size;
    private double equityBefore;

    Recorder(TradingEnvironment environment, int capacity) {
      this.environment = environment;
      this.times = new long[capacity];
      this.columns = new double[COLUMNS][capacity];
    }

    void record() {
      TradingAccount account = environment.account();
      int bar = environment.bar();
      equityBefore = account.equity() + account.costs() - account.grossProfit();
      times[size] = environment.instrument().prices().time(bar);
      double[] row = {
        environment.instrument().prices().close(bar),
        environment.target(),
        account.exposure(bar),
        account.equity(),
        account.fee(),
        account.slippage(),
        account.borrow(),
        account.traded() / equityBefore,
      };
      for (int i = 0; i < COLUMNS; i++) {
        columns[i][size] = row[i];
      }
      size++;
      if (account.order() != 0) {
        trades.add(account.trade(bar));
      }
    }

    /** Closes the position at the last close; its costs belong to the last step. */
    void sell() {
      TradingAccount account = environment.account();
      FilledOrder sale = account.liquidate(environment.bar());
      if (sale != null) {
        trades.add(sale);
        columns[EXPOSURE][size - 1] = 0;
        columns[EQUITY][size - 1] = account.equity();
        columns[FEE][size - 1] += account.fee();
        columns[SLIPPAGE][size - 1] += account.slippage();
        columns[TURNOVER][size - 1] += account.traded() / equityBefore;
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
