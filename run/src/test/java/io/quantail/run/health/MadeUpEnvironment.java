package io.quantail.run.health;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/** A task made of two functions, so that a test can put any fault into it, also in mid-run. */
final class MadeUpEnvironment implements Environment {
  static final ActionSpace TWO_ARMS = new ActionSpace.Discrete(2);
  static final ActionSpace ONE_LEVER = new ActionSpace.Box(new float[] {-1}, new float[] {1});

  /** What is seen. */
  interface Sight {
    /**
     * @param step steps of this environment since the run began
     */
    double at(long step, RandomStream random);
  }

  /** What is paid. */
  interface Pay {
    /**
     * @param step steps of this environment since the run began
     * @param seen what was seen when the action was chosen
     */
    double at(long step, double seen, float action, RandomStream random);
  }

  private final ActionSpace actions;
  private final int length;
  private final Sight sight;
  private final Pay pay;
  private RandomStream random;
  private long step;
  private int stepOfEpisode;
  private double seen;

  MadeUpEnvironment(ActionSpace actions, int length, Sight sight, Pay pay) {
    this.actions = actions;
    this.length = length;
    this.sight = sight;
    this.pay = pay;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(1);
  }

  @Override
  public ActionSpace actionSpace() {
    return actions;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    stepOfEpisode = 0;
    return look();
  }

  @Override
  public Step step(Action action) {
    double reward = pay.at(step, seen, action.toArray()[0], random);
    step++;
    stepOfEpisode++;
    return Step.of(look()).reward(reward).terminated(stepOfEpisode == length);
  }

  private float[] look() {
    seen = sight.at(step, random);
    return new float[] {(float) seen};
  }
}
