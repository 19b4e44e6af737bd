package io.quantail.audit;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.model.ActingModel;
import io.quantail.state.StateMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The audited configuration: settings, environments, and the state of a trained agent if there is
 * one.
 *
 * <p>Samples are collected when a check first needs them and are shared by all checks.
 */
public final class AuditSubject implements AutoCloseable {
  private final RunConfig config;
  private final EnvironmentFactory factory;
  private final Optional<StateMap> snapshot;
  private final Map<String, Object> results = new HashMap<>();

  /**
   * Creates the subject of an audit.
   *
   * @param config settings of the run
   * @param factory creates its environments
   * @param snapshot the saved state of a run with these settings; empty to audit a new agent
   */
  public AuditSubject(RunConfig config, EnvironmentFactory factory, Optional<StateMap> snapshot) {
    this.config = config;
    this.factory = factory;
    this.snapshot = snapshot;
  }

  /** {@return the settings} */
  public RunConfig config() {
    return config;
  }

  /** {@return the factory that creates the environments of the run} */
  public EnvironmentFactory factory() {
    return factory;
  }

  /** {@return the saved state of a trained agent} */
  public Optional<StateMap> snapshot() {
    return snapshot;
  }

  /** {@return the agent of the run, or one that was trained for a few updates} */
  public ActingModel agent() {
    return own().agent();
  }

  /** A short rollout with the configured network. */
  SampleRollout own() {
    return shared("own", () -> SampleRollout.own(config, factory, snapshot));
  }

  /** A shorter rollout with a network small enough for finite differences by every parameter. */
  SampleRollout tiny() {
    return shared("tiny", () -> SampleRollout.tiny(config, factory));
  }

  /**
   * A result that several checks need, computed by the first of them. If the computation throws,
   * all of these checks get the same exception.
   */
  @SuppressWarnings("unchecked") // every name has one type
  <T> T shared(String name, Supplier<T> computation) {
    if (!results.containsKey(name)) {
      try {
        results.put(name, computation.get());
      } catch (RuntimeException failure) {
        results.put(name, failure);
      }
    }
    if (results.get(name) instanceof RuntimeException failure) {
      throw failure;
    }
    return (T) results.get(name);
  }

  @Override
  public void close() {
    results.values().stream()
        .filter(SampleRollout.class::isInstance)
        .forEach(sample -> ((SampleRollout) sample).close());
  }
}
