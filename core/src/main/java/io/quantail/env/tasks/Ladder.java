package io.quantail.env.tasks;

import io.quantail.env.ActionSpace;
import io.quantail.env.EpisodicEnvironment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * A ladder of 20 rungs that never ends: resting (0) earns 1 a step on any rung, climbing (1) earns
 * nothing up to the top and 3 a step there.
 *
 * <p>Observation: the rung, divided by 20. Episodes start on a rung uniform in 0 to 19. For a
 * discount above {@code 3^(-1/20) = 0.947} climbing is optimal on every rung, and the value of rung
 * {@code s} is {@code gamma^(20 - s) 3 / (1 - gamma)}.
 *
 * <p>The registered task truncates an episode after 20 steps, in which a climb from the bottom
 * earns nothing: only a learner that bootstraps from the value of the last state learns to climb
 * there. One that treats a truncated episode as terminated learns to rest on the lower rungs. A
 * long time limit shows the difference in the return; see {@link EnvironmentRegistry}.
 *
 * <p>See: Pardo et al., "Time Limits in Reinforcement Learning", 2018, arXiv 1712.00378. {@code
 * MemoryAndLimitTasksTest} pins it.
 */
final class Ladder extends EpisodicEnvironment {
  /** Rungs from the bottom to the top. */
  static final int RUNGS = 20;

  private static final double REST_REWARD = 1;
  private static final double TOP_REWARD = 3;
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(2);

  private int rung;

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
    rung = random.nextInt(RUNGS);
    return observation();
  }

  @Override
  protected Step advance(float[] action) {
    if (ACTIONS.index(action) == 0) {
      return Step.of(observation(), REST_REWARD);
    }
    double reward = rung == RUNGS ? TOP_REWARD : 0;
    rung = Math.min(RUNGS, rung + 1);
    return Step.of(observation(), reward);
  }

  @Override
  protected double[] state() {
    return new double[] {rung};
  }

  @Override
  protected void takeState(double[] state, RandomStream random) {
    rung = (int) state[0];
  }

  private float[] observation() {
    return new float[] {(float) rung / RUNGS};
  }
}
