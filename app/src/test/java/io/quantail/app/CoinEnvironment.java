package io.quantail.app;

import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/** A user's environment: shows a coin and pays for naming its side; four coins an episode. */
public class CoinEnvironment implements Environment {
  private static final int COINS = 4;

  private RandomStream random;
  private int side;
  private int shown = COINS;

  @Override
  public int observationSize() {
    return 1;
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
  public Step step(float[] action) {
    if (shown == COINS) {
      throw new IllegalStateException("no running episode; call reset before step");
    }
    double reward = action[0] == side ? 1 : 0;
    shown++;
    return shown == COINS ? Step.terminal(toss(), reward) : Step.of(toss(), reward);
  }

  private float[] toss() {
    side = random.nextDouble() < 0.5 ? 0 : 1;
    return new float[] {side};
  }
}
