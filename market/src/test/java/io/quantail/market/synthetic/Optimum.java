package io.quantail.market.synthetic;

import io.quantail.market.data.Bars;
import io.quantail.market.split.BarRange;
import java.util.Arrays;

/**
 * The best that can be done in a market, net of costs: what agents are measured against.
 *
 * <p>Weights are those of a given list; changing the weight by d costs the share {@code cost · |d|}
 * of the account. Both are those of our execution without impact, up to the drift of a weight
 * between orders. {@code OptimumTest} pins closed forms, a brute-force twin, and that trading
 * through the environment earns what is promised.
 */
public final class Optimum {
  private static final double PRECISION = 1e-12;
  private static final int SWEEPS = 100_000;

  private final MarkovMarket market;
  private final double[] weights;
  private final double growth;
  private final int[][] decisions; // [state][held weight]

  private Optimum(MarkovMarket market, double[] weights, double growth, int[][] decisions) {
    this.market = market;
    this.weights = weights;
    this.growth = growth;
    this.decisions = decisions;
  }

  /**
   * For an agent that knows the model and its state: average reward dynamic programming, by
   * relative value iteration.
   *
   * <p>See: Puterman, "Markov Decision Processes", 1994, section 8.5.
   */
  public static Optimum of(MarketModel model, double cost, double... weights) {
    MarkovMarket market = MarkovMarket.of(model);
    double[][] growths = new double[market.states()][weights.length];
    for (int state = 0; state < growths.length; state++) {
      for (int w = 0; w < weights.length; w++) {
        growths[state][w] = market.growth(state, weights[w]);
      }
    }
    double[][] values = new double[market.states()][weights.length];
    int[][] decisions = new int[market.states()][weights.length];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      double[][] next = sweep(market, weights, cost, growths, values, decisions);
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int state = 0; state < next.length; state++) {
        for (int w = 0; w < weights.length; w++) {
          double gain = next[state][w] - values[state][w];
          low = Math.min(low, gain);
          high = Math.max(high, gain);
        }
      }
      if (high - low < PRECISION) {
        return new Optimum(market, weights.clone(), (low + high) / 2, decisions);
      }
      double base = next[0][0];
      for (double[] row : next) {
        Arrays.setAll(row, i -> row[i] - base);
      }
      values = next;
    }
    throw new IllegalStateException("the optimum of " + model + " did not settle");
  }

  private static double[][] sweep(
      MarkovMarket market,
      double[] weights,
      double cost,
      double[][] growths,
      double[][] values,
      int[][] decisions) {
    double[][] next = new double[values.length][weights.length];
    for (int state = 0; state < next.length; state++) {
      double[] chosen = new double[weights.length];
      double[] transitions = market.transitions(state);
      for (int w = 0; w < weights.length; w++) {
        chosen[w] = growths[state][w];
        for (int s = 0; s < transitions.length; s++) {
          chosen[w] += transitions[s] * values[s][w];
        }
      }
      for (int held = 0; held < weights.length; held++) {
        int best = held;
        double bestValue = chosen[held];
        for (int w = 0; w < weights.length; w++) {
          double value = Math.log1p(-cost * Math.abs(weights[w] - weights[held])) + chosen[w];
          if (value > bestValue + 1e-15) {
            best = w;
            bestValue = value;
          }
        }
        next[state][held] = bestValue;
        decisions[state][held] = best;
      }
    }
    return next;
  }

  /** Growth of the logarithm of the account per bar, in the long run. */
  public double growthPerBar() {
    return growth;
  }

  /** The best weight for a state of the model and a weight that is held. */
  public double weight(double state, double held) {
    int nearest = 0;
    for (int w = 1; w < weights.length; w++) {
      if (Math.abs(weights[w] - held) < Math.abs(weights[nearest] - held)) {
        nearest = w;
      }
    }
    return weights[decisions[market.nearest(state)][nearest]];
  }

  /**
   * For an agent that knows every coming bar: the largest growth of the logarithm of an account
   * over a range, starting flat, by dynamic programming over the path. Decisions fill at the next
   * open and are marked at its close.
   */
  public static double ofPath(Bars bars, BarRange range, double cost, double... weights) {
    double[] values = new double[weights.length];
    for (int t = range.to() - 2; t >= range.from(); t--) {
      double[] before = new double[weights.length];
      Arrays.fill(before, Double.NEGATIVE_INFINITY);
      double overnight = bars.open(t + 1) / bars.close(t) - 1;
      double day = bars.close(t + 1) / bars.open(t + 1) - 1;
      for (int held = 0; held < weights.length; held++) {
        double gap = Math.log1p(weights[held] * overnight);
        for (int w = 0; w < weights.length; w++) {
          double trade = Math.log1p(-cost * Math.abs(weights[w] - weights[held]));
          double value = gap + trade + Math.log1p(weights[w] * day) + values[w];
          before[held] = Math.max(before[held], value);
        }
      }
      values = before;
    }
    int flat = 0;
    for (int w = 1; w < weights.length; w++) {
      flat = Math.abs(weights[w]) < Math.abs(weights[flat]) ? w : flat;
    }
    return values[flat];
  }
}
