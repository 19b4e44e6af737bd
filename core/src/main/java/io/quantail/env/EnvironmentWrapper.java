package io.quantail.env;

import io.quantail.random.RandomStream;

/** Passes everything on to another environment; what differs is overridden. */
public abstract class EnvironmentWrapper implements Environment {
  /** The one that is wrapped. */
  protected final Environment environment;

  protected EnvironmentWrapper(Environment environment) {
    this.environment = environment;
  }

  @Override
  public int observationSize() {
    return environment.observationSize();
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
  public Step step(float[] action) {
    return environment.step(action);
  }

  @Override
  public boolean supportsSnapshot() {
    return environment.supportsSnapshot();
  }

  @Override
  public double[] snapshot() {
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
