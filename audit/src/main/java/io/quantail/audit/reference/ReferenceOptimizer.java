package io.quantail.audit.reference;

import io.quantail.config.OptimizerConfig;
import io.quantail.network.Parameters;
import io.quantail.random.NormalSampler;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import java.util.List;

/**
 * Reference implementation of Adam, SGD and UPGD, from their papers.
 *
 * <p>The random numbers of UPGD's noise come from the production streams: they are input here.
 */
public final class ReferenceOptimizer {
  private final OptimizerConfig config;
  private final List<Parameters.Slot> slots;
  private final long seed;
  private final double[] first;
  private final double[] second;
  private final double[] utility;
  private long steps;

  public ReferenceOptimizer(OptimizerConfig config, List<Parameters.Slot> slots, long seed) {
    this.config = config;
    this.slots = slots;
    this.seed = seed;
    int count = 0;
    for (Parameters.Slot slot : slots) {
      count += (int) slot.count();
    }
    first = new double[count];
    second = new double[count];
    utility = new double[count];
  }

  /** Restores the state of a saved optimiser. */
  public void load(StateMap state) {
    switch (config.name()) {
      case SGD -> take(state, "velocity", first);
      case ADAM, ADAMW -> {
        steps = state.longValue("steps");
        take(state, "firstMoment", first);
        take(state, "secondMoment", second);
      }
      default -> {
        steps = state.longValue("steps");
        take(state, "utility", utility);
        if (adaptive()) {
          take(state, "moment1", first);
          take(state, "moment2", second);
        }
      }
    }
  }

  private static void take(StateMap state, String name, double[] target) {
    double[] saved = ReferenceMath.doubles(state.floats(name, target.length));
    System.arraycopy(saved, 0, target, 0, target.length);
  }

  /** Whether the size of the gradient cancels in a step. */
  public boolean scaleFree() {
    return config.name() != OptimizerConfig.Name.SGD && config.name() != OptimizerConfig.Name.UPGD;
  }

  private boolean adaptive() {
    return config.name() != OptimizerConfig.Name.UPGD;
  }

  /** Updates the weights in place. */
  public void step(double[] weights, double[] gradient, double rate) {
    steps++;
    switch (config.name()) {
      case SGD -> descend(weights, gradient, rate);
      case ADAM, ADAMW -> adam(weights, gradient, rate);
      default -> upgd(weights, gradient, rate);
    }
  }

  private void descend(double[] weights, double[] gradient, double rate) {
    for (int i = 0; i < weights.length; i++) {
      first[i] = config.momentum() * first[i] + gradient[i] + config.weightDecay() * weights[i];
      weights[i] -= rate * first[i];
    }
  }

  private void adam(double[] weights, double[] gradient, double rate) {
    boolean decoupled = config.name() == OptimizerConfig.Name.ADAMW;
    for (int i = 0; i < weights.length; i++) {
      double slope = gradient[i] + (decoupled ? 0 : config.weightDecay() * weights[i]);
      if (decoupled) {
        weights[i] -= rate * config.weightDecay() * weights[i];
      }
      weights[i] -= rate * normalized(i, slope);
    }
  }

  /** Updates the moments of one weight; returns bias-corrected first over root of second. */
  private double normalized(int i, double slope) {
    first[i] = config.beta1() * first[i] + (1 - config.beta1()) * slope;
    second[i] = config.beta2() * second[i] + (1 - config.beta2()) * slope * slope;
    double mean = first[i] / (1 - Math.pow(config.beta1(), steps));
    double square = second[i] / (1 - Math.pow(config.beta2(), steps));
    return mean / (Math.sqrt(square) + config.epsilon());
  }

  private void upgd(double[] weights, double[] gradient, double rate) {
    double[] gates = gates(weights, gradient);
    double[] noise = noise(gradient);
    for (int i = 0; i < weights.length; i++) {
      double direction = adaptive() ? normalized(i, gradient[i]) : gradient[i];
      double kept = weights[i] * (1 - rate * config.weightDecay());
      weights[i] = kept - rate * gates[i] * (direction + noise[i]);
    }
  }

  /** Updates the utilities; weights with a high utility change slowly. */
  private double[] gates(double[] weights, double[] gradient) {
    double beta =
        config.name() == OptimizerConfig.Name.UPGDW ? config.beta2() : config.betaUtility();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < weights.length; i++) {
      utility[i] = beta * utility[i] + (1 - beta) * -gradient[i] * weights[i];
      low = Math.min(low, utility[i]);
      high = Math.max(high, utility[i]);
    }
    double[] gates = new double[weights.length];
    for (int i = 0; i < gates.length; i++) {
      double score =
          config.utilityNorm() == OptimizerConfig.UtilityNorm.MIN_MAX
              ? high == low ? 0 : 2 * (utility[i] - low) / (high - low) - 1
              : high == 0 ? 0 : utility[i] / high;
      gates[i] = 1 / (1 + Math.exp(score));
    }
    return gates;
  }

  private double[] noise(double[] gradient) {
    double[] noise = new double[gradient.length];
    for (Parameters.Slot slot : slots) {
      int from = (int) slot.offset();
      int count = (int) slot.count();
      double squares = 0;
      for (int i = from; i < from + count; i++) {
        squares += gradient[i] * gradient[i];
      }
      double size = adaptive() ? 1 : Math.sqrt(squares / count);
      long key = RandomStream.of(seed, "parameter-noise/" + slot.name(), 0).key();
      float[] draws = new float[count];
      NormalSampler.fill(RandomStream.restore(key, steps, 0), 1f, draws, 0, count);
      for (int i = 0; i < count; i++) {
        noise[from + i] = config.sigma() * size * draws[i];
      }
    }
    return noise;
  }
}
