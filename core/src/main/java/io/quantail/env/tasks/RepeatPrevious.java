package io.quantail.env.tasks;

import io.quantail.env.ActionSpace;
import io.quantail.env.EpisodicEnvironment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * Recall of the symbol shown two steps ago: needs a recurrent state that is written on every step.
 *
 * <p>Each of 32 steps shows one of four symbols, drawn independently and uniformly, as a one-hot
 * vector. From the third step on, the action that names the symbol shown two steps before earns
 * 1/30. Return: at best 1; 0.25 in expectation for every policy without recurrent state, because
 * the current symbol is independent of the requested one. {@code SanityTasksTest} pins both.
 */
final class RepeatPrevious extends EpisodicEnvironment {
  private static final int SYMBOLS = 4;
  private static final int LENGTH = 32;
  private static final int LAG = 2;
  private static final double REWARD = 1.0 / (LENGTH - LAG);
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(SYMBOLS);

  private RandomStream random;
  private int elapsed;
  private int current;
  private int previous;
  private int asked;

  @Override
  public int observationSize() {
    return SYMBOLS;
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  protected float[] start(RandomStream stream) {
    random = stream;
    elapsed = 0;
    current = random.nextInt(SYMBOLS);
    previous = 0;
    asked = 0;
    return observation();
  }

  @Override
  protected Step advance(float[] action) {
    boolean right = ACTIONS.index(action) == asked && elapsed >= LAG;
    double reward = right ? REWARD : 0;
    elapsed++;
    asked = previous;
    previous = current;
    current = random.nextInt(SYMBOLS);
    return elapsed == LENGTH
        ? Step.terminal(observation(), reward)
        : Step.of(observation(), reward);
  }

  @Override
  protected double[] state() {
    return new double[] {elapsed, current, previous, asked};
  }

  @Override
  protected void takeState(double[] state, RandomStream stream) {
    random = stream;
    elapsed = (int) state[0];
    current = (int) state[1];
    previous = (int) state[2];
    asked = (int) state[3];
  }

  private float[] observation() {
    float[] oneHot = new float[SYMBOLS];
    oneHot[current] = 1;
    return oneHot;
  }
}
