package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * Ten tosses of a fair coin, each paying 1 or -1 independently of the action: the return has a
 * known distribution, with which critics are tested.
 *
 * <p>The undiscounted return from the first step is {@code 2 B - 10} with {@code B} binomial(10,
 * 1/2): see {@link #returns()}. The observation shows the position in the chain, one-hot.
 */
public final class CoinChain implements Environment {
  /** Tosses in an episode. */
  public static final int LENGTH = 10;

  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(2);

  private RandomStream random;
  private int position;

  /** {@return the exact distribution of the undiscounted return of an episode} */
  public static OutcomeDistribution returns() {
    double[] values = new double[LENGTH + 1];
    double[] probabilities = new double[LENGTH + 1];
    double ways = 1;
    for (int heads = 0; heads <= LENGTH; heads++) {
      values[heads] = 2 * heads - LENGTH;
      probabilities[heads] = ways / (1 << LENGTH);
      ways = ways * (LENGTH - heads) / (heads + 1);
    }
    return new OutcomeDistribution(values, probabilities);
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(LENGTH + 1);
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    position = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    double reward = random.nextDouble() < 0.5 ? -1 : 1;
    position++;
    return Step.of(observation()).reward(reward).terminated(position == LENGTH);
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(position);
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    double[] state = TaskSnapshot.state(snapshot, 1, this);
    position = (int) state[0];
    random = stream;
  }

  private float[] observation() {
    float[] observation = new float[LENGTH + 1];
    observation[position] = 1;
    return observation;
  }
}
