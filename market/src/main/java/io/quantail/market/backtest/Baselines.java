package io.quantail.market.backtest;

import io.quantail.env.ActionSpace;
import io.quantail.market.trading.ActionMap;
import io.quantail.random.RandomStream;

/** Baseline policies; they trade through the same environment and costs as agents. */
public final class Baselines {
  private Baselines() {}

  /** Always holds the largest weight. */
  public static TradingPolicy buyAndHold(ActionMap actions) {
    return constant(actions, actions.maxWeight());
  }

  /** Never holds a position, or holds the smallest possible one. */
  public static TradingPolicy flat(ActionMap actions) {
    return constant(actions, 0);
  }

  /** Always holds the same weight, or the nearest possible one. */
  public static TradingPolicy constant(ActionMap actions, double weight) {
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
  public static TradingPolicy random(ActionMap actions, long seed) {
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
