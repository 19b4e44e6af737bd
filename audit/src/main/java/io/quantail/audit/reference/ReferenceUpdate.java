package io.quantail.audit.reference;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.PpoConfig;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reference implementation of a whole update: shuffled minibatches, gradient, variance scaling,
 * clipping and optimiser step, without early stops.
 */
public final class ReferenceUpdate {
  private static final double CLIP_EPSILON = 1e-6;

  private final ReferenceLoss loss;
  private final ReferenceOptimizer optimizer;
  private final ReferenceVarianceScaler scaler;

  public ReferenceUpdate(
      ReferenceLoss loss, ReferenceOptimizer optimizer, ReferenceVarianceScaler scaler) {
    this.loss = loss;
    this.optimizer = optimizer;
    this.scaler = scaler;
  }

  /**
   * Measurements of all steps.
   *
   * @param terms mean terms of each step
   * @param normsBefore gradient norm of each step before clipping
   * @param normsAfter gradient norm of each step after clipping
   */
  public record Trace(
      List<ReferenceLoss.Terms> terms, List<Double> normsBefore, List<Double> normsAfter) {}

  /**
   * Changes the parameters in place.
   *
   * @param update index of the update, which seeds the shuffle
   * @param epochs number of passes over the rollout
   */
  public Trace run(double[] parameters, long update, int epochs, double rate) {
    Trace trace = new Trace(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    RandomStream shuffle = RandomStream.of(loss.config().seed(), "shuffle", update);
    int windows = loss.experience().windowStates().length;
    PpoConfig ppo = loss.config().ppo();
    int size = ppo.batchSize() / ppo.sequenceLength();
    for (int epoch = 0; epoch < epochs; epoch++) {
      int[] order = shuffle.permutation(windows);
      for (int from = 0; from < windows; from += size) {
        step(parameters, Arrays.copyOfRange(order, from, from + size), rate, trace);
      }
    }
    return trace;
  }

  private void step(double[] parameters, int[] windows, double rate, Trace trace) {
    trace.terms().add(loss.of(parameters, windows));
    double[] gradient = ReferenceGradient.of(loss, parameters, windows);
    OptimizerConfig config = loss.config().optimizer();
    double factor = scaler.factor();
    scaler.add(gradient);
    double gradientFactor = optimizer.scaleFree() ? 1 : factor;
    double norm = ReferenceMath.norm(gradient) * gradientFactor;
    double limit =
        config.maxGradientNorm() <= 0 ? Double.POSITIVE_INFINITY : config.maxGradientNorm();
    double shrink = Math.min(1, limit / (norm + CLIP_EPSILON));
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] *= gradientFactor * shrink;
    }
    optimizer.step(parameters, gradient, optimizer.scaleFree() ? rate * factor : rate);
    trace.normsBefore().add(norm);
    trace.normsAfter().add(ReferenceMath.norm(gradient));
  }
}
