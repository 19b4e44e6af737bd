package io.quantail;

import io.quantail.metrics.MetricRow;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Where a training is after an update. */
public final class Progress {
  private final MetricRow row;
  private final long allSteps;
  private final Supplier<Agent> agent;

  Progress(MetricRow row, long allSteps, Supplier<Agent> agent) {
    this.row = row;
    this.allSteps = allSteps;
    this.agent = agent;
  }

  /** {@return the environment steps done} */
  public long steps() {
    return row.steps();
  }

  /** {@return the updates done} */
  public long updates() {
    return row.update();
  }

  /** {@return the fraction of the steps that is done, from 0 to 1} */
  public double done() {
    return Math.min(1, (double) row.steps() / allSteps);
  }

  /** {@return the mean return of the latest episodes; empty before the first has ended} */
  public OptionalDouble meanReturn() {
    return metric("rollout/ep_rew_mean");
  }

  /** {@return environment steps per second since the training started} */
  public double stepsPerSecond() {
    return metric("time/fps").orElse(0);
  }

  /**
   * Reads a metric.
   *
   * @param name such as {@code train/approx_kl}
   * @return its value; empty if this update has none
   */
  public OptionalDouble metric(String name) {
    Double value = row.values().get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** {@return all metrics of this update by name} */
  public Map<String, Double> metrics() {
    return Collections.unmodifiableMap(new TreeMap<>(row.values()));
  }

  /** {@return a copy of the agent as it is now; only during the call that gave this progress} */
  public Agent agent() {
    return agent.get();
  }

  @Override
  public String toString() {
    OptionalDouble mean = meanReturn();
    return String.format(
        Locale.ROOT,
        "%3.0f %%  %,d steps  return %s  %,.0f steps/s",
        100 * done(),
        steps(),
        mean.isPresent() ? String.format(Locale.ROOT, "%.4g", mean.getAsDouble()) : "-",
        stepsPerSecond());
  }
}
