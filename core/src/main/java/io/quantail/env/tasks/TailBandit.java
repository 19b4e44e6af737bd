package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.List;

/**
 * One choice between two arms of equal mean: {@value #THIN} pays a little more or a little less,
 * {@value #FAT} pays well and loses much one time in twenty. They differ in the tail only; see
 * {@link #arms()}.
 */
public final class TailBandit implements Environment {
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
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("constant");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    return observation();
  }

  @Override
  public Step step(Action action) {
    return Step.of(observation()).reward(ARMS.get(action.index()).draw(random)).terminated();
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of();
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    TaskSnapshot.state(snapshot, 0, this);
    random = stream;
  }

  private static float[] observation() {
    return new float[] {1};
  }
}
