package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.network.Parameters;
import io.quantail.parallel.ChunkedRange;
import io.quantail.state.Restorable;
import java.util.List;
import java.util.Map;

/** Changes one flat parameter vector in place, given its gradient. */
public interface Optimizer extends Restorable {

  /**
   * The optimiser that a configuration names.
   *
   * @param slots the named parts of the flat vector, to which noise is bound
   * @param seed of the run
   */
  static Optimizer create(OptimizerConfig config, List<Parameters.Slot> slots, long seed) {
    int parameters = Math.toIntExact(slots.stream().mapToLong(Parameters.Slot::count).sum());
    return switch (config.name()) {
      case ADAM, ADAMW -> new Adam(Adam.Settings.of(config), parameters);
      case SGD -> new Sgd(Sgd.Settings.of(config), parameters);
      case UPGD, ADAPTIVE_UPGD, UPGDW ->
          new Upgd(Upgd.Settings.of(config), new ParameterNoise(seed, slots), parameters);
    };
  }

  /**
   * One step; the gradient is finite and is not changed.
   *
   * @param range splits the parameters into chunks, for optimisers that can use them
   */
  void step(float[] parameters, float[] gradient, double learningRate, ChunkedRange range);

  /** One step by the calling thread. */
  default void step(float[] parameters, float[] gradient, double learningRate) {
    step(parameters, gradient, learningRate, ChunkedRange.whole(parameters.length));
  }

  /**
   * Whether a constant factor on all gradients leaves the steps unchanged. Smaller steps of such an
   * optimiser need a lower learning rate.
   */
  boolean scaleFree();

  /** Metrics of the state right after a step with the given gradient, by name. Changes nothing. */
  default Map<String, Double> measure(float[] gradient) {
    return Map.of();
  }
}
