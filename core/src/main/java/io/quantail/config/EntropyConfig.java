package io.quantail.config;

/**
 * The weight of entropy in the loss and how it fades; section {@code ppo.entropy}.
 *
 * @param coefficient weight before the decay; at least 0; default 0.001
 * @param finalCoefficient weight after the decay; at least 0; default null: the same as {@code
 *     coefficient}
 * @param minimum floor of the weight in use; at least 0; default 0
 * @param decayUpdates updates the decay takes; at least 0; default 0: no decay
 * @param plateauWindow updates over which the slope of entropy is measured before the decay may
 *     start; 0 or at least 2; default 0: the decay starts at once
 * @param plateauTolerance absolute slope below which entropy counts as level; at least 0; default 0
 * @param plateauMinUpdates earliest update at which the decay may start; at least 0; default 0
 */
public record EntropyConfig(
    double coefficient,
    Double finalCoefficient,
    double minimum,
    int decayUpdates,
    int plateauWindow,
    double plateauTolerance,
    int plateauMinUpdates) {
  public EntropyConfig {
    Check.notNegative("ppo.entropy.coefficient", coefficient);
    if (finalCoefficient != null) {
      Check.notNegative("ppo.entropy.finalCoefficient", finalCoefficient);
    }
    Check.notNegative("ppo.entropy.minimum", minimum);
    Check.atLeast("ppo.entropy.decayUpdates", decayUpdates, 0);
    Check.zeroOrAtLeast("ppo.entropy.plateauWindow", plateauWindow, 2);
    Check.notNegative("ppo.entropy.plateauTolerance", plateauTolerance);
    Check.atLeast("ppo.entropy.plateauMinUpdates", plateauMinUpdates, 0);
  }

  public static EntropyConfig defaults() {
    return new EntropyConfig(0.001, null, 0.0, 0, 0, 0.0, 0);
  }
}
