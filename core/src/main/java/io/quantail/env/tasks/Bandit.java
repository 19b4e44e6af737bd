package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * One choice among four arms that pay 0, 0.25, 1 and 0.5: the simplest learning task.
 *
 * <p>Return: at best 1 (arm 2); 0.4375 in expectation by guessing. {@code SanityTasksTest} pins
 * both.
 */
final class Bandit implements Environment {
  private static final double[] PAYOFFS = {0, 0.25, 1, 0.5};
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(PAYOFFS.length);

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("constant");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    return observation();
  }

  @Override
  public Step step(Action action) {
    return Step.of(observation()).reward(PAYOFFS[action.index()]).terminated();
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of();
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    TaskSnapshot.state(snapshot, 0, this);
  }

  private static float[] observation() {
    return new float[] {1};
  }
}
