package io.quantail.config;

/**
 * How the Lagrange multiplier of the limit is updated; section {@code risk.multiplier}.
 *
 * @param rate how much a violation adds to the multiplier per update; at least 0; default 0.005
 * @param gain weight of the present violation beside the accumulated one, which damps oscillations;
 *     acts in mode {@code policy}; at least 0; default 1
 * @param max largest multiplier; positive; default 10
 */
public record RiskMultiplierConfig(double rate, double gain, double max) {
  public RiskMultiplierConfig {
    Check.notNegative("risk.multiplier.rate", rate);
    Check.notNegative("risk.multiplier.gain", gain);
    Check.positive("risk.multiplier.max", max);
  }

  public static RiskMultiplierConfig defaults() {
    return new RiskMultiplierConfig(0.005, 1.0, 10.0);
  }
}
