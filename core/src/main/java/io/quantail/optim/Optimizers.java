package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.nn.Parameters;
import java.util.List;

/** Makes the optimiser that a configuration names. */
public final class Optimizers {
  private Optimizers() {}

  /**
   * An optimiser for a flat vector.
   *
   * @param slots the named parts of the vector, to which noise is bound
   * @param seed of the run
   */
  public static Optimizer create(OptimizerConfig config, List<Parameters.Slot> slots, long seed) {
    int parameters = Math.toIntExact(slots.stream().mapToLong(Parameters.Slot::count).sum());
    return switch (config.name()) {
      case ADAM -> new Adam(config, false, parameters);
      case ADAMW -> new Adam(config, true, parameters);
      case SGD -> new Sgd(config, parameters);
      case UPGD, ADAPTIVE_UPGD, UPGDW ->
          new Upgd(UpgdRule.of(config), new ParameterNoise(seed, slots), parameters);
    };
  }
}
