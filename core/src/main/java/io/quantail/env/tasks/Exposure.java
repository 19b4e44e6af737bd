package io.quantail.env.tasks;

import io.quantail.env.ActionSpace;
import io.quantail.env.EpisodicEnvironment;
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
public final class Exposure extends EpisodicEnvironment {
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
  public int observationSize() {
    return 1;
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  protected float[] start(RandomStream stream) {
    random = stream;
    round = 0;
    return observation();
  }

  @Override
  protected Step advance(float[] action) {
    double reward = action[0] * CHANGE.draw(random);
    round++;
    return round == ROUNDS ? Step.terminal(observation(), reward) : Step.of(observation(), reward);
  }

  @Override
  protected double[] state() {
    return new double[] {round};
  }

  @Override
  protected void takeState(double[] state, RandomStream stream) {
    round = (int) state[0];
    random = stream;
  }

  private float[] observation() {
    return new float[] {(float) round / ROUNDS};
  }
}
