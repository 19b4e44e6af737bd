package io.quantail.market.backtest;

import io.quantail.env.ActionSpace;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.random.RandomStream;

/** Baseline policies; they trade through the same environment and costs as agents. */
public final class BaselinePolicies {
  private BaselinePolicies() {}

  /** Always holds the largest weight. */
  public static TradingPolicy buyAndHold(TargetWeightMap actions) {
    return constant(actions, actions.maxWeight());
  }

  /** Never holds a position, or holds the smallest possible one. */
  public static TradingPolicy flat(TargetWeightMap actions) {
    return constant(actions, 0);
  }

  /** Always holds the same weight, or the nearest possible one. */
  public static TradingPolicy constant(TargetWeightMap actions, double weight) {
    float[] action = actions.action(weight);
    return new TradingPolicy() {
      @Override
      public void begin() {
        // no state
      }

      @Override
      public float[] act(float[] observation) {
        return action;
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
      public float[] act(float[] observation) {
        if (actions.space() instanceof ActionSpace.Discrete discrete) {
          return new float[] {random.nextInt(discrete.count())};
        }
        return new float[] {(float) random.nextDouble(-1, 1)};
      }
    };
  }
}
