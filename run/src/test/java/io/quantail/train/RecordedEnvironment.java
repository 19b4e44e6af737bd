package io.quantail.train;

import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps every first action component and reward of the environments it wraps. */
final class RecordedEnvironment implements Environment {
  private final Environment inner;
  private final List<double[]> steps;

  private RecordedEnvironment(Environment inner, List<double[]> steps) {
    this.inner = inner;
    this.steps = steps;
  }

  /** Wraps what the factory makes; each step becomes a pair of action and reward. */
  static EnvironmentFactory around(EnvironmentFactory factory, List<double[]> steps) {
    return index -> new RecordedEnvironment(factory.create(index), steps);
  }

  static List<double[]> newRecord() {
    return Collections.synchronizedList(new ArrayList<>());
  }

  @Override
  public int observationSize() {
    return inner.observationSize();
  }

  @Override
  public ActionSpace actionSpace() {
    return inner.actionSpace();
  }

  @Override
  public float[] reset(RandomStream random) {
    return inner.reset(random);
  }

  @Override
  public Step step(float[] action) {
    Step step = inner.step(action);
    steps.add(new double[] {action[0], step.reward()});
    return step;
  }
}
