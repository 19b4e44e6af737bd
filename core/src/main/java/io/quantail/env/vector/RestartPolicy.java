package io.quantail.env.vector;

import io.quantail.config.EnvironmentConfig;
import io.quantail.env.EnvironmentException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls to the environments of a vector and decides whether a failed environment is
 * replaced; shared by all of them.
 */
final class RestartPolicy implements AutoCloseable {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final EnvironmentConfig.Faults config;
  private final CallRunner runner;
  private final AtomicLong granted = new AtomicLong();

  RestartPolicy(EnvironmentConfig.Faults config) {
    this.config = config;
    this.runner = CallRunner.of(config.stepDeadlineSeconds());
  }

  /** Runs calls one after the other; the calls report failures. */
  void run(List<? extends CallRunner.Task> turns) {
    runner.run(turns);
  }

  /**
   * Allows one more restart, or ends the run.
   *
   * @param thrown exception of the environment; null if it hung
   * @param attempt number of consecutive failures in this slot, from 1; from the second on there is
   *     a pause, twice as long each time
   */
  void grant(EnvironmentFault fault, @Nullable EnvironmentException thrown, int attempt) {
    if (config.policy() == EnvironmentConfig.FaultPolicy.FAIL) {
      throw thrown != null ? thrown : stop(fault, "", null);
    }
    if (fault.restart() >= config.maxRestartsPerEnvironment()) {
      throw stop(
          fault,
          "; the restarts of this environment have reached"
              + " environment.faults.maxRestartsPerEnvironment, "
              + config.maxRestartsPerEnvironment(),
          thrown);
    }
    if (granted.incrementAndGet() > config.maxRestarts()) {
      throw stop(
          fault,
          "; the restarts of all environments have reached environment.faults.maxRestarts, "
              + config.maxRestarts(),
          thrown);
    }
    if (attempt > 1) {
      pause(attempt);
    }
  }

  private static EnvironmentException stop(
      EnvironmentFault fault, String why, @Nullable Throwable cause) {
    return new EnvironmentException(fault.message() + why, cause, fault.kind());
  }

  private static void pause(int attempt) {
    long millis = FIRST_PAUSE_MILLIS << Math.min(attempt - 2, 10);
    try {
      TimeUnit.MILLISECONDS.sleep(Math.min(millis, LONGEST_PAUSE_MILLIS));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The message for a call that exceeded its deadline. */
  String overdue(String method) {
    return overdue(method, Objects.requireNonNull(config.stepDeadlineSeconds()));
  }

  static String overdue(String method, double deadlineSeconds) {
    return "%s took longer than the %s seconds of environment.faults.stepDeadlineSeconds; correct"
            .formatted(method, deadlineSeconds)
        + " the environment or allow more";
  }

  /** Restores the number of restarts so far. */
  void restore(long restarts) {
    granted.set(restarts);
  }

  @Override
  public void close() {
    runner.close();
  }
}
