package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
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
final class Ladder implements Environment {
  /** Rungs from the bottom to the top. */
  static final int RUNGS = 20;

  private static final double REST_REWARD = 1;
  private static final double TOP_REWARD = 3;
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(2);

  private int rung;

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("height");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    rung = random.nextInt(RUNGS);
    return observation();
  }

  @Override
  public Step step(Action action) {
    if (action.index() == 0) {
      return Step.of(observation()).reward(REST_REWARD);
    }
    double reward = rung == RUNGS ? TOP_REWARD : 0;
    rung = Math.min(RUNGS, rung + 1);
    return Step.of(observation()).reward(reward);
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(rung);
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, 1, this);
    rung = (int) state[0];
  }

  private float[] observation() {
    return new float[] {(float) rung / RUNGS};
  }
}
