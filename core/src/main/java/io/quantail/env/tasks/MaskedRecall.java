package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * Recall of a cue that ranks the choices, of which every step allows others: needs masks and
 * memory.
 *
 * <p>The first observation shows a cue c of six, uniformly distributed, as a one-hot vector; the
 * others are zero. Each of 16 steps allows n of the six choices, with n uniform on 1 to 6 and every
 * set of n equally likely; no observation shows them. The allowed choice that comes first in the
 * order c, c + 1, ..., c + 5 (modulo 6) earns 1/16, all others nothing.
 *
 * <p>Return: at best 1, by a policy whose logits fall in the order of the cue. Without memory one
 * order after the first step is as good as any: of n allowed choices, the first of it is right with
 * probability {@code 1 - 7 (n - 1) / (6 (n + 1))}, the mean of which over n is m = 0.453, so that
 * the return is {@code (1 + 15 m) / 16 = 0.487} in expectation. {@code MaskedTasksTest} pins both.
 */
final class MaskedRecall implements Environment {
  static final int CHOICES = 6;
  static final int LENGTH = 16;
  private static final double REWARD = 1.0 / LENGTH;
  private static final ActionSpace.Discrete ACTIONS = ActionSpace.discrete(CHOICES);

  private RandomStream random;
  private int cue;
  private int elapsed;
  private int allowed; // bit k is set if choice k is allowed

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(CHOICES);
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public void allowed(boolean[] mask) {
    for (int k = 0; k < CHOICES; k++) {
      mask[k] = isAllowed(k);
    }
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    elapsed = 0;
    cue = random.nextInt(CHOICES);
    allowed = draw();
    float[] observation = new float[CHOICES];
    observation[cue] = 1;
    return observation;
  }

  @Override
  public Step step(Action action) {
    double reward = action.index() == first() ? REWARD : 0;
    elapsed++;
    allowed = draw();
    float[] observation = new float[CHOICES];
    return Step.of(observation).reward(reward).terminated(elapsed == LENGTH);
  }

  /** Draws how many choices are allowed, then which. */
  private int draw() {
    int[] order = random.permutation(CHOICES);
    int count = 1 + random.nextInt(CHOICES);
    return Arrays.stream(order, 0, count).map(k -> 1 << k).sum();
  }

  private boolean isAllowed(int choice) {
    return (allowed >> choice & 1) == 1;
  }

  /** The allowed choice that comes first in the order of the cue. */
  private int first() {
    int choice = cue;
    while (!isAllowed(choice)) {
      choice = (choice + 1) % CHOICES;
    }
    return choice;
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(cue, elapsed, allowed);
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    double[] state = TaskSnapshot.state(snapshot, 3, this);
    random = stream;
    cue = (int) state[0];
    elapsed = (int) state[1];
    allowed = (int) state[2];
  }
}
