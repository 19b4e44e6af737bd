package io.quantail.config;

/**
 * How the multiplier of the limit moves; section {@code risk.multiplier}.
 *
 * @param rate how much a violation adds to the multiplier per update; at least 0; default 0.005
 * @param gain how much the present violation counts on top, which keeps the multiplier from
 *     swinging; acts in mode {@code policy}; at least 0; default 1
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
