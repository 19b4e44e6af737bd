package io.quantail.market.backtest;

import io.quantail.env.ActionSpace;
import io.quantail.market.trading.ActionMap;
import io.quantail.random.RandomStream;

/** What every agent is compared with; each trades through the same environment and costs. */
public final class Baselines {
  private Baselines() {}

  /** Always the largest weight. */
  public static TradingPolicy buyAndHold(ActionMap actions) {
    return constant(actions, actions.maxWeight());
  }

  /** Never a position, or the smallest there is. */
  public static TradingPolicy flat(ActionMap actions) {
    return constant(actions, 0);
  }

  /** Always the same weight, or the nearest there is. */
  public static TradingPolicy constant(ActionMap actions, double weight) {
    float[] action = actions.action(weight);
    return new TradingPolicy() {
      @Override
      public void begin() {
        // nothing to forget
      }

      @Override
      public float[] act(float[] observation) {
        return action;
      }
    };
  }

  /** At every bar a uniformly random action; same seed, same actions. */
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
