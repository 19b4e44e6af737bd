package io.quantail.audit;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.rollout.Agent;
import io.quantail.state.StateMap;
import java.util.Optional;

/**
 * What is audited: settings, their environments, and the state of a trained agent if there is one.
 *
 * <p>Samples are collected when a check first asks for them and are shared by all checks.
 */
public final class AuditSubject implements AutoCloseable {
  private final RunConfig config;
  private final EnvironmentFactory factory;
  private final Optional<StateMap> snapshot;
  private Sample own;
  private Sample tiny;

  /**
   * @param snapshot the saved state of a run with these settings
   */
  public AuditSubject(RunConfig config, EnvironmentFactory factory, Optional<StateMap> snapshot) {
    this.config = config;
    this.factory = factory;
    this.snapshot = snapshot;
  }

  public RunConfig config() {
    return config;
  }

  /** Makes the environments of the run. */
  public EnvironmentFactory factory() {
    return factory;
  }

  public Optional<StateMap> snapshot() {
    return snapshot;
  }

  /** The agent of the run, or one that has had a few updates. */
  public Agent agent() {
    return own().agent();
  }

  /** A short rollout with the subject's own network. */
  Sample own() {
    if (own == null) {
      own = Sample.collect(SampleSettings.own(config), factory, snapshot);
    }
    return own;
  }

  /** A very short rollout with a network small enough for finite differences. */
  Sample tiny() {
    if (tiny == null) {
      tiny = Sample.collect(SampleSettings.tiny(config), factory, Optional.empty());
    }
    return tiny;
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
    if (tiny != null) {
      tiny.close();
    }
  }
}
