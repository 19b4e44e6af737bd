package io.quantail.market.backtest;

import io.quantail.env.ActionSpace;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.random.RandomStream;
import java.util.function.ToDoubleFunction;

/** Baseline policies; they trade through the same environment and costs as agents. */
public final class BaselinePolicies {
  private BaselinePolicies() {}

  /** Always holds the largest weight. */
  public static TradingPolicy buyAndHold(TargetWeightMap actions) {
    return constant(actions.maxWeight());
  }

  /** Never holds a position. */
  public static TradingPolicy flat() {
    return constant(0);
  }

  /** Always holds the same weight. */
  public static TradingPolicy constant(double weight) {
    return rule(account -> weight);
  }

  /** A policy without state that decides by the account and its bars. */
  private static TradingPolicy rule(ToDoubleFunction<TradingEnvironment> weight) {
    return new TradingPolicy() {
      @Override
      public void begin() {
        // no state
      }

      @Override
      public double weight(TradingEnvironment account, float[] observation) {
        return weight.applyAsDouble(account);
      }
    };
  }

  /** Takes a uniformly random action at every bar; deterministic for a given seed. */
  public static TradingPolicy random(TargetWeightMap actions, long seed) {
    return new TradingPolicy() {
      private RandomStream random;

      @Override
      public void begin() {
        random = RandomStream.of(seed, "baseline", 0);
      }

      @Override
      public double weight(TradingEnvironment account, float[] observation) {
        if (actions.space() instanceof ActionSpace.Discrete discrete) {
          return account.weight(new float[] {random.nextInt(discrete.count())});
        }
        return account.weight(new float[] {(float) random.nextDouble(-1, 1)});
      }
    };
  }
}
