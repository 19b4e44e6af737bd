package io.quantail.app;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/** A user's environment: shows a coin and pays for naming its side; four coins an episode. */
public class CoinEnvironment implements Environment {
  private static final int COINS = 4;

  private RandomStream random;
  private int side;
  private int shown = COINS;

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(1);
  }

  @Override
  public ActionSpace actionSpace() {
    return new ActionSpace.Discrete(2);
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    shown = 0;
    return toss();
  }

  @Override
  public Step step(Action action) {
    double reward = action.index() == side ? 1 : 0;
    shown++;
    return Step.of(toss()).reward(reward).terminated(shown == COINS);
  }

  private float[] toss() {
    side = random.nextDouble() < 0.5 ? 0 : 1;
    return new float[] {side};
  }
}
