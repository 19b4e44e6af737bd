package io.quantail.audit;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.rollout.Agent;
import io.quantail.state.StateMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is audited: settings, their environments, and the state of a trained agent if there is one.
 *
 * <p>Samples are collected when a check first asks for them and are shared by all checks.
 */
public final class AuditSubject implements AutoCloseable {
  private final RunConfig config;
  private final EnvironmentFactory factory;
  private final Optional<StateMap> snapshot;
  private final Once own = new Once();
  private final Once tiny = new Once();
  private final Map<String, Object> results = new HashMap<>();

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
    return own.get(() -> Sample.own(config, factory, snapshot));
  }

  /** A shorter rollout with a network small enough for finite differences by every parameter. */
  Sample tiny() {
    return tiny.get(() -> Sample.tiny(config, factory));
  }

  /** What several checks need, computed by the first of them. */
  @SuppressWarnings("unchecked") // every name stands for one type
  <T> T shared(String name, Supplier<T> computation) {
    Object known = results.get(name);
    if (known == null) {
      known = computation.get();
      results.put(name, known);
    }
    return (T) known;
  }

  @Override
  public void close() {
    own.close();
    tiny.close();
  }

  /** Collects at most once: what failed for one check fails in the same way for the next. */
  private static final class Once {
    private Sample sample;
    private RuntimeException failure;

    Sample get(Supplier<Sample> collector) {
      if (failure != null) {
        throw failure;
      }
      try {
        sample = sample == null ? collector.get() : sample;
        return sample;
      } catch (RuntimeException thrown) {
        failure = thrown;
        throw thrown;
      }
    }

    void close() {
      if (sample != null) {
        sample.close();
      }
    }
  }
}
