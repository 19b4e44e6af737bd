package io.quantail.config;

import org.jspecify.annotations.Nullable;

/**
 * The environments an agent learns in; section {@code environment}.
 *
 * @param name registered name of the environment; not blank; default {@code CartPole-v1}
 * @param count copies stepped side by side; in [1, 4096]; default 16
 * @param normalizeObservations whether observations are centred and scaled by running statistics;
 *     default true
 * @param observationClip bound on the absolute value of a normalised observation; positive; default
 *     10
 * @param episodeLimit steps after which an episode is truncated; at least 1, or null: only the
 *     environment ends its episodes; default null
 * @param faults section {@code environment.faults}
 */
public record EnvironmentConfig(
    String name,
    int count,
    boolean normalizeObservations,
    double observationClip,
    @Nullable Integer episodeLimit,
    Faults faults) {
  public EnvironmentConfig {
    Check.notBlank("environment.name", name);
    Check.within("environment.count", count, 1, 4096);
    Check.positive("environment.observationClip", observationClip);
    if (episodeLimit != null) {
      Check.atLeast("environment.episodeLimit", episodeLimit, 1);
    }
    Check.present("environment.faults", faults);
  }

  public static EnvironmentConfig defaults() {
    return new EnvironmentConfig("CartPole-v1", 16, true, 10.0, null, Faults.defaults());
  }

  /**
   * What happens when an environment throws, hangs or returns impossible values; section {@code
   * environment.faults}.
   *
   * @param policy stop the run, or replace that environment alone: {@code fail} or {@code restart};
   *     default {@code fail}
   * @param stepDeadlineSeconds time after which a step, with the reset that may follow it, counts
   *     as hung; positive, or null: no deadline; default null
   * @param maxRestartsPerEnvironment restarts of one environment after which the run stops; at
   *     least 0; default 100
   * @param maxRestarts restarts of all environments together after which the run stops; at least 0;
   *     default 1000
   */
  public record Faults(
      FaultPolicy policy,
      @Nullable Double stepDeadlineSeconds,
      int maxRestartsPerEnvironment,
      int maxRestarts) {
    public Faults {
      Check.present("environment.faults.policy", policy);
      if (stepDeadlineSeconds != null) {
        Check.positive("environment.faults.stepDeadlineSeconds", stepDeadlineSeconds);
      }
      Check.atLeast("environment.faults.maxRestartsPerEnvironment", maxRestartsPerEnvironment, 0);
      Check.atLeast("environment.faults.maxRestarts", maxRestarts, 0);
    }

    public static Faults defaults() {
      return new Faults(FaultPolicy.FAIL, null, 100, 1_000);
    }
  }

  /** What happens when an environment breaks its contract. */
  public enum FaultPolicy {
    /** The run stops and reports the environment and step. */
    FAIL,
    /** That environment alone is replaced by a new one. */
    RESTART
  }
}
