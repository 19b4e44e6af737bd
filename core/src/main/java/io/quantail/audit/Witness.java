package io.quantail.audit;

import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** An environment that writes down what it answered. */
final class Witness implements Environment {
  private final Environment environment;
  private final List<Step> steps = new ArrayList<>();
  private final List<float[]> actions = new ArrayList<>();

  Witness(Environment environment) {
    this.environment = environment;
  }

  /** All answers, with observations of their own. */
  List<Step> steps() {
    return steps;
  }

  List<float[]> actions() {
    return actions;
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
    Step step = environment.step(action);
    actions.add(action.clone());
    steps.add(step.withObservation(step.observation().clone()));
    return step;
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
