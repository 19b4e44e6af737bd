package io.quantail.config;

/**
 * The environments an agent learns in; section {@code environment}.
 *
 * @param name registered name of the environment; not blank; default {@code CartPole-v1}
 * @param count copies stepped side by side; in [1, 4096]; default 16
 * @param normalizeObservations whether observations are centred and scaled by running statistics;
 *     default true
 * @param observationClip bound on the absolute value of a normalised observation; positive; default
 *     10
 * @param faults section {@code environment.faults}
 */
public record EnvironmentConfig(
    String name,
    int count,
    boolean normalizeObservations,
    double observationClip,
    FaultConfig faults) {
  public EnvironmentConfig {
    Check.notBlank("environment.name", name);
    Check.within("environment.count", count, 1, 4096);
    Check.positive("environment.observationClip", observationClip);
    Check.present("environment.faults", faults);
  }

  public static EnvironmentConfig defaults() {
    return new EnvironmentConfig("CartPole-v1", 16, true, 10.0, FaultConfig.defaults());
  }
}
