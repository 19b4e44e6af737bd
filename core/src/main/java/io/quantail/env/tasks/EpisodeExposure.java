package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.math.StandardNormal;
import io.quantail.random.RandomStream;

/**
 * A choice of exposure in each of {@value #ROUNDS} rounds, for a limit on whole episodes: the
 * reward is the exposure in [0, 1] times a normal change with a positive mean.
 *
 * <p>Only the number of the round is observed, so an agent without memory chooses exposures {@code
 * a_1, ..., a_n} that do not depend on past changes. The total of an episode is then normal with
 * mean {@code mu sum(a)} and variance {@code sigma² sum(a²)}, which is least for a given mean when
 * all exposures are equal. So under a limit on the CVaR of an episode the best exposure is {@code
 * limit / cvar(alpha)} in every round; see {@link #cvar}.
 */
public final class EpisodeExposure implements Environment {
  /** Rounds in an episode. */
  public static final int ROUNDS = 10;

  private static final double MEAN = 0.02;
  private static final double DEVIATION = 0.1;
  private static final ActionSpace.Box ACTIONS =
      new ActionSpace.Box(new float[] {0}, new float[] {1});

  private RandomStream random;
  private int round;

  /**
   * Computes the CVaR of an episode at full exposure, {@code n mu - sqrt(n) sigma phi(z) / alpha}
   * with {@code z} the alpha-quantile of the standard normal distribution.
   *
   * @param alpha fraction of the worst episodes, in (0, 1)
   * @return the CVaR
   */
  public static double cvar(double alpha) {
    double tail = StandardNormal.density(StandardNormal.quantile(alpha)) / alpha;
    return ROUNDS * MEAN - Math.sqrt(ROUNDS) * DEVIATION * tail;
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
    double reward = action.value() * (MEAN + DEVIATION * random.nextGaussian());
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
