package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.tensor.Tensor;

/** Makes the optimiser that a configuration names. */
public final class Optimizers {
  private Optimizers() {}

  public static Optimizer create(OptimizerConfig config, Tensor parameters) {
    return switch (config.name()) {
      case "adam" -> new Adam(config, false, parameters);
      case "adamw" -> new Adam(config, true, parameters);
      case "sgd" -> new Sgd(config, parameters);
      default -> throw new IllegalArgumentException("unknown optimizer " + config.name());
    };
  }
}
