package io.quantail.env;

import io.quantail.random.RandomStream;
import org.jspecify.annotations.Nullable;

/** Delegates all calls to another environment; subclasses override some of them. */
public abstract class EnvironmentWrapper implements Environment {
  /** The wrapped environment. */
  protected final Environment environment;

  /**
   * Wraps an environment.
   *
   * @param environment to which all calls are delegated
   */
  protected EnvironmentWrapper(Environment environment) {
    this.environment = environment;
  }

  @Override
  public ObservationSpace observationSpace() {
    return environment.observationSpace();
  }

  @Override
  public ActionSpace actionSpace() {
    return environment.actionSpace();
  }

  @Override
  public float[] reset(RandomStream random) {
    return environment.reset(random);
  }

  @Override
  public Step step(Action action) {
    return environment.step(action);
  }

  @Override
  public void allowed(boolean[] mask) {
    environment.allowed(mask);
  }

  /** {@return the environment to which calls are delegated} */
  public final Environment wrapped() {
    return environment;
  }

  @Override
  public double @Nullable [] snapshot() {
    return environment.snapshot();
  }

  @Override
  public void restore(double[] state, RandomStream random) {
    environment.restore(state, random);
  }

  @Override
  public void close() {
    environment.close();
  }
}
