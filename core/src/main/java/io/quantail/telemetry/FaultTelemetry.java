package io.quantail.telemetry;

import io.quantail.config.EnvironmentConfig;
import io.quantail.env.EnvironmentException;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.metrics.Metrics;
import java.util.List;

/** Reports how often environments failed and were replaced; nothing where none is replaced. */
public final class FaultTelemetry {
  private FaultTelemetry() {}

  /**
   * @param latest the failures of this rollout
   */
  public static void report(
      Metrics metrics,
      EnvironmentConfig.Faults config,
      VectorEnvironment environments,
      List<EnvironmentFault> latest) {
    if (config.policy() == EnvironmentConfig.FaultPolicy.FAIL) {
      return;
    }
    long exceptions = environments.faults(EnvironmentException.Kind.EXCEPTION);
    long timeouts = environments.faults(EnvironmentException.Kind.TIMEOUT);
    long outputs = environments.faults(EnvironmentException.Kind.OUTPUT);
    metrics.put("env/restarts_total", exceptions + timeouts + outputs);
    metrics.put("env/step_exceptions", exceptions);
    metrics.put("env/step_timeouts", timeouts);
    metrics.put("env/invalid_outputs", outputs);
    if (!latest.isEmpty()) {
      metrics.put("env/failed_env_id", latest.get(latest.size() - 1).environment());
    }
  }
}
