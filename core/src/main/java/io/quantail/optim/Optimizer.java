package io.quantail.optim;

import io.quantail.parallel.ChunkedRange;
import io.quantail.state.Restorable;
import java.util.Map;

/** Changes one flat parameter vector in place, given its gradient. */
public interface Optimizer extends Restorable {

  /**
   * One step; the gradient is finite and is not changed.
   *
   * @param walk goes through the parameters in parts, for optimisers that can use it
   */
  void step(float[] parameters, float[] gradient, double learningRate, ChunkedRange walk);

  /** One step by the calling thread. */
  default void step(float[] parameters, float[] gradient, double learningRate) {
    step(parameters, gradient, learningRate, ChunkedRange.whole(parameters.length));
  }

  /**
   * Whether a constant factor on all gradients leaves the steps as they are. Who wants such an
   * optimiser to take smaller steps must lower the learning rate.
   */
  boolean scaleFree();

  /**
   * What can be said of the state right after a step with the given gradient, by metric name.
   * Changes nothing.
   */
  default Map<String, Double> measure(float[] gradient) {
    return Map.of();
  }
}
