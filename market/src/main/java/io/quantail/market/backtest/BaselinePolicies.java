package io.quantail.market.backtest;

import io.quantail.env.ActionSpace;
import io.quantail.market.data.Bars;
import io.quantail.market.trading.RiskUnits;
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

  /**
   * Holds a constant volatility: the weight is min(1, volatility / σ[t]) with the EWMA volatility
   * σ, at most {@code most}. With a volatility of |limit| / c, see {@link
   * io.quantail.market.trading.TrainingVolatility#target}, it keeps the expected shortfall of a bar
   * at the limit. It is flat while σ is not known.
   *
   * @param volatility of the account per bar; at least 0
   * @param most largest weight
   */
  public static TradingPolicy volatilityTarget(double volatility, double most) {
    if (volatility == 0) {
      return flat();
    }
    RiskUnits units = new RiskUnits(volatility);
    return rule(
        account -> {
          double present = account.instrument().volatility()[account.bar()];
          return Double.isNaN(present) ? 0 : Math.min(most, units.weight(1, present));
        });
  }

  /**
   * Invests while the close is above its moving average: {@code most} if C[t] is larger than the
   * mean of the last {@code bars} closes including C[t], else 0. It is flat while there are fewer
   * closes.
   *
   * @param most largest weight
   */
  public static TradingPolicy movingAverage(int bars, double most) {
    return rule(account -> aboveAverage(account, bars) ? most : 0);
  }

  private static boolean aboveAverage(TradingEnvironment account, int bars) {
    Bars prices = account.instrument().bars();
    int last = account.bar();
    if (last + 1 < bars) {
      return false;
    }
    double sum = 0;
    for (int t = last - bars + 1; t <= last; t++) {
      sum += prices.close(t);
    }
    return prices.close(last) > sum / bars;
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
