package io.quantail.env.tasks;

import io.quantail.env.ActionSpace;
import io.quantail.env.EpisodicEnvironment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * One choice among four arms that pay 0, 0.25, 1 and 0.5: the simplest learning task.
 *
 * <p>Return: at best 1 (arm 2); 0.4375 in expectation by guessing. {@code SanityTasksTest} pins
 * both.
 */
final class Bandit extends EpisodicEnvironment {
  private static final double[] PAYOFFS = {0, 0.25, 1, 0.5};
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(PAYOFFS.length);

  @Override
  public int observationSize() {
    return 1;
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  protected float[] start(RandomStream random) {
    return observation();
  }

  @Override
  protected Step advance(float[] action) {
    return Step.terminal(observation(), PAYOFFS[ACTIONS.index(action)]);
  }

  @Override
  protected double[] state() {
    return new double[0];
  }

  @Override
  protected void takeState(double[] state, RandomStream random) {}

  private static float[] observation() {
    return new float[] {1};
  }
}
