package io.quantail.market.synthetic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * A {@link MarketModel} as a chain of finitely many states, each with finitely many equally likely
 * returns for each next state; what dynamic programming needs.
 */
final class MarkovMarket {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
  private static final int POINTS = 64;
  private static final int STATES = 81;
  private static final double REACH = 4;

  private final double[] states;
  private final double[][] transitions;
  private final double[][][] returns; // [state][next state][equally likely]

  private MarkovMarket(double[] states, double[][] transitions, double[][][] returns) {
    this.states = states;
    this.transitions = transitions;
    this.returns = returns;
  }

  static MarkovMarket of(MarketModel model) {
    if (model instanceof MarketModel.Trend trend) {
      return single(normal(trend.drift(), trend.volatility()));
    } else if (model instanceof MarketModel.Noise noise) {
      double drift = -noise.volatility() * noise.volatility() / 2;
      return single(normal(drift, noise.volatility()));
    } else if (model instanceof MarketModel.Jumps jumps) {
      return single(mixture(jumps));
    } else if (model instanceof MarketModel.RegimeSwitch regime) {
      return regimes(regime);
    }
    return reverting((MarketModel.MeanReversion) model);
  }

  private static MarkovMarket single(double[] returns) {
    return new MarkovMarket(new double[] {0}, new double[][] {{1}}, new double[][][] {{returns}});
  }

  private static MarkovMarket regimes(MarketModel.RegimeSwitch model) {
    double stay = 1 - model.switching();
    double[] up = normal(model.drift(), model.volatility());
    double[] down = normal(-model.drift(), model.volatility());
    return new MarkovMarket(
        new double[] {-1, 1},
        new double[][] {{stay, model.switching()}, {model.switching(), stay}},
        new double[][][] {{down, down}, {up, up}});
  }

  /** A grid over the deviation; see: Tauchen, "Finite State Markov-Chain Approximations", 1986. */
  private static MarkovMarket reverting(MarketModel.MeanReversion model) {
    double persistence = model.persistence();
    double spread = model.volatility() / Math.sqrt(1 - persistence * persistence);
    double step = 2 * REACH * spread / (STATES - 1);
    double[] states = new double[STATES];
    Arrays.setAll(states, i -> -REACH * spread + i * step);
    double[][] transitions = new double[STATES][STATES];
    double[][][] returns = new double[STATES][STATES][];
    for (int i = 0; i < STATES; i++) {
      double mean = persistence * states[i];
      for (int j = 0; j < STATES; j++) {
        double low = j == 0 ? Double.NEGATIVE_INFINITY : states[j] - step / 2;
        double high = j == STATES - 1 ? Double.POSITIVE_INFINITY : states[j] + step / 2;
        transitions[i][j] =
            NORMAL.cumulativeProbability((high - mean) / model.volatility())
                - NORMAL.cumulativeProbability((low - mean) / model.volatility());
        returns[i][j] = new double[] {states[j] - states[i]};
      }
    }
    return new MarkovMarket(states, transitions, returns);
  }

  /** Middle points of equally likely slices. */
  private static double[] normal(double mean, double deviation) {
    double[] points = new double[POINTS];
    Arrays.setAll(
        points, i -> mean + deviation * NORMAL.inverseCumulativeProbability((i + 0.5) / POINTS));
    return points;
  }

  /** Jumps are rare: as many slices with a jump as their probability asks for, at least one. */
  private static double[] mixture(MarketModel.Jumps model) {
    int slices = 400;
    int jumping = (int) Math.round(model.intensity() * slices);
    double wide = Math.hypot(model.volatility(), model.jump());
    List<Double> points = new ArrayList<>();
    for (int i = 0; i < slices; i++) {
      boolean jumps = i < jumping;
      int count = jumps ? jumping : slices - jumping;
      int place = jumps ? i : i - jumping;
      double deviate = NORMAL.inverseCumulativeProbability((place + 0.5) / count);
      points.add(model.drift() + deviate * (jumps ? wide : model.volatility()));
    }
    return points.stream().mapToDouble(Double::doubleValue).toArray();
  }

  int states() {
    return states.length;
  }

  double[] transitions(int state) {
    return transitions[state];
  }

  /** Expected growth of the logarithm of an account that holds the weight for a bar. */
  double growth(int state, double weight) {
    double growth = 0;
    for (int next = 0; next < states.length; next++) {
      double sum = 0;
      for (double value : returns[state][next]) {
        sum += Math.log1p(weight * Math.expm1(value));
      }
      growth += transitions[state][next] * sum / returns[state][next].length;
    }
    return growth;
  }

  /** The state nearest to a value. */
  int nearest(double value) {
    int best = 0;
    for (int i = 1; i < states.length; i++) {
      if (Math.abs(states[i] - value) < Math.abs(states[best] - value)) {
        best = i;
      }
    }
    return best;
  }
}
