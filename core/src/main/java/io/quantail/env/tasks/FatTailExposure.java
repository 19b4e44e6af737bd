package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * A choice of exposure in each of {@value #ROUNDS} rounds with fat tails and a hidden volatility:
 * the reward is the exposure in [0, 1] times a change, {@code drift + scale X} with {@code X} of
 * Student's t-distribution with three degrees of freedom and unit variance.
 *
 * <p>The scale is one of two and switches between them as a Markov chain that starts in its
 * stationary distribution. It is not observed: the observation is the last change, 0 in the first
 * round, so only past changes tell which scale is likely. Without a limit the best exposure is 1.
 * With a limit on the CVaR of a round, a constant exposure can be at most {@code limit /
 * cvar(alpha)}; an agent with memory earns more by staking less when changes have been large. See
 * {@link #cvar} and {@link #DRIFT}.
 */
public final class FatTailExposure implements Environment {
  /** Rounds in an episode. */
  public static final int ROUNDS = 64;

  /** Mean of a change. */
  public static final double DRIFT = 0.002;

  private static final double[] SCALES = {0.01, 0.04}; // calm, turbulent
  private static final double[] LEAVING = {0.02, 0.05}; // probability of a switch, by scale
  private static final double FREEDOM = 3;
  private static final ActionSpace.Box ACTIONS =
      new ActionSpace.Box(new float[] {0}, new float[] {1});
  private static final double FARTHEST = 1e6; // in units of the larger scale
  private static final int BISECTIONS = 200;

  private RandomStream random;
  private int round;
  private int regime;
  private double change;

  /**
   * Computes the CVaR of a round at full exposure. With {@code F} and {@code f} the distribution
   * and the density of Student's t and {@code z} its value at the alpha-quantile of the changes,
   * the mean of the tail of one scale is {@code drift F(z) - scale / sqrt(3) f(z) (3 + z²) / 2}.
   *
   * @param alpha fraction of the worst rounds, in (0, 1)
   * @return the CVaR
   */
  public static double cvar(double alpha) {
    double low = -FARTHEST * SCALES[1];
    double high = FARTHEST * SCALES[1];
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      double below = 0;
      for (int scale = 0; scale < SCALES.length; scale++) {
        below += share(scale) * cumulative(standardized(middle, scale));
      }
      low = below < alpha ? middle : low;
      high = below < alpha ? high : middle;
    }
    double tail = 0;
    for (int scale = 0; scale < SCALES.length; scale++) {
      double z = standardized(low, scale);
      double spread = SCALES[scale] / Math.sqrt(FREEDOM);
      double partial = density(z) * (FREEDOM + z * z) / (FREEDOM - 1);
      tail += share(scale) * (DRIFT * cumulative(z) - spread * partial);
    }
    return tail / alpha;
  }

  /** Stationary probability of a scale. */
  private static double share(int scale) {
    return LEAVING[1 - scale] / (LEAVING[0] + LEAVING[1]);
  }

  /** The value of Student's t, whose variance is 3, that belongs to a change. */
  private static double standardized(double at, int scale) {
    return (at - DRIFT) / SCALES[scale] * Math.sqrt(FREEDOM);
  }

  /** Distribution function of Student's t with three degrees of freedom. */
  private static double cumulative(double x) {
    double s = x / Math.sqrt(FREEDOM);
    return 0.5 + (s / (1 + s * s) + Math.atan(s)) / Math.PI;
  }

  private static double density(double x) {
    double q = 1 + x * x / FREEDOM;
    return 2 / (Math.PI * Math.sqrt(FREEDOM) * q * q);
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("change");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    round = 0;
    regime = random.nextDouble() < share(0) ? 0 : 1;
    change = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    change = DRIFT + SCALES[regime] * unitShock();
    if (random.nextDouble() < LEAVING[regime]) {
      regime = 1 - regime;
    }
    round++;
    double reward = action.value() * change;
    return Step.of(observation()).reward(reward).terminated(round == ROUNDS);
  }

  /** Normal over the root of a third of a chi-squared number, divided by its deviation sqrt(3). */
  private double unitShock() {
    double normal = random.nextGaussian();
    double squares = 0;
    for (int i = 0; i < FREEDOM; i++) {
      double next = random.nextGaussian();
      squares += next * next;
    }
    return normal / Math.sqrt(squares);
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(round, regime, change);
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    double[] state = TaskSnapshot.state(snapshot, 3, this);
    round = (int) state[0];
    regime = (int) state[1];
    change = state[2];
    random = stream;
  }

  /** In units of the calm scale. */
  private float[] observation() {
    return new float[] {(float) (change / SCALES[0])};
  }
}
