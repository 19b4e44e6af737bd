package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
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
final class RepeatPrevious implements Environment {
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
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(SYMBOLS);
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    elapsed = 0;
    current = random.nextInt(SYMBOLS);
    previous = 0;
    asked = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    boolean right = action.index() == asked && elapsed >= LAG;
    double reward = right ? REWARD : 0;
    elapsed++;
    asked = previous;
    previous = current;
    current = random.nextInt(SYMBOLS);
    return Step.of(observation()).reward(reward).terminated(elapsed == LENGTH);
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(elapsed, current, previous, asked);
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    double[] state = TaskSnapshot.state(snapshot, 4, this);
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
