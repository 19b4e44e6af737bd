package io.quantail.env.tasks;

import io.quantail.env.ActionSpace;
import io.quantail.env.EpisodicEnvironment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.List;

/**
 * One choice between two arms of equal mean: {@value #THIN} pays a little more or a little less,
 * {@value #FAT} pays well and loses much one time in twenty. They differ in the tail only; see
 * {@link #arms()}.
 */
public final class TailBandit extends EpisodicEnvironment {
  /** The arm with the thin tail. */
  public static final int THIN = 0;

  /** The arm with the fat tail. */
  public static final int FAT = 1;

  private static final List<OutcomeDistribution> ARMS =
      List.of(
          new OutcomeDistribution(new double[] {0, 0.2}, new double[] {0.5, 0.5}),
          new OutcomeDistribution(new double[] {-0.85, 0.15}, new double[] {0.05, 0.95}));
  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(ARMS.size());

  private RandomStream random;

  /** {@return the distribution of the payoff of each arm} */
  public static List<OutcomeDistribution> arms() {
    return ARMS;
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
    return observation();
  }

  @Override
  protected Step advance(float[] action) {
    return Step.terminal(observation(), ARMS.get(ACTIONS.index(action)).draw(random));
  }

  @Override
  protected double[] state() {
    return new double[0];
  }

  @Override
  protected void takeState(double[] state, RandomStream stream) {
    random = stream;
  }

  private static float[] observation() {
    return new float[] {1};
  }
}
