package io.quantail.config;

/**
 * What happens when an environment throws, hangs or returns impossible values; section {@code
 * environment.faults}.
 *
 * @param policy stop the run, or replace that environment alone: {@code fail} or {@code restart};
 *     default {@code fail}
 * @param stepDeadlineSeconds time after which a step, with the reset that may follow it, counts as
 *     hung; positive, or null: no deadline; default null
 * @param maxRestartsPerEnvironment restarts of one environment after which the run stops; at least
 *     0; default 100
 * @param maxRestarts restarts of all environments together after which the run stops; at least 0;
 *     default 1000
 */
public record FaultConfig(
    FaultPolicy policy,
    Double stepDeadlineSeconds,
    int maxRestartsPerEnvironment,
    int maxRestarts) {
  public FaultConfig {
    Check.present("environment.faults.policy", policy);
    if (stepDeadlineSeconds != null) {
      Check.positive("environment.faults.stepDeadlineSeconds", stepDeadlineSeconds);
    }
    Check.atLeast("environment.faults.maxRestartsPerEnvironment", maxRestartsPerEnvironment, 0);
    Check.atLeast("environment.faults.maxRestarts", maxRestarts, 0);
  }

  public static FaultConfig defaults() {
    return new FaultConfig(FaultPolicy.FAIL, null, 100, 1_000);
  }
}
