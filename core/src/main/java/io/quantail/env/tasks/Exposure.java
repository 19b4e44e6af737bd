package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * A choice of exposure in each of 32 rounds: the action in [0, 1] is multiplied with a change that
 * is a small gain most of the time and a crash one time in thirty-three.
 *
 * <p>The mean change is positive, so the best exposure is 1 without a limit on the tail. The CVaR
 * of a round at constant exposure {@code a} is {@code a CVaR(change)}, so under a limit the best
 * exposure is {@code limit / CVaR(change)}; see {@link #change()}.
 */
public final class Exposure implements Environment {
  /** Rounds in an episode. */
  public static final int ROUNDS = 32;

  private static final OutcomeDistribution CHANGE =
      new OutcomeDistribution(
          new double[] {-0.3, -0.01, 0.02, 0.05}, new double[] {0.03, 0.25, 0.47, 0.25});
  private static final ActionSpace.Box ACTIONS =
      new ActionSpace.Box(new float[] {0}, new float[] {1});

  private RandomStream random;
  private int round;

  /** {@return the distribution of the change in one round at full exposure} */
  public static OutcomeDistribution change() {
    return CHANGE;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("progress");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    round = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    double reward = action.value() * CHANGE.draw(random);
    round++;
    return Step.of(observation()).reward(reward).terminated(round == ROUNDS);
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(round);
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    double[] state = TaskSnapshot.state(snapshot, 1, this);
    round = (int) state[0];
    random = stream;
  }

  private float[] observation() {
    return new float[] {(float) round / ROUNDS};
  }
}
