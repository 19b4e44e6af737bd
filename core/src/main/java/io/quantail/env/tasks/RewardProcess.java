package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * Rewards that no action influences and that never end, with a known distribution of the discounted
 * return: critics are compared with it.
 *
 * <ul>
 *   <li>{@link Kind#IID_NORMAL}: independent standard normal rewards, constant observation. The
 *       return is {@code N(0, 1 / (1 - gamma^2))}.
 *   <li>{@link Kind#AUTOREGRESSIVE}: {@code x' = 0.9 x + 0.4 N(0, 1)}, reward {@code x'},
 *       observation {@code x}. The return after {@code x} is normal with mean {@code 0.9 x / (1 -
 *       0.9 gamma)} and standard deviation {@code 0.4 / ((1 - 0.9 gamma) sqrt(1 - gamma^2))}. An
 *       episode starts in the stationary distribution.
 *   <li>{@link Kind#JUMPS}: independent rewards {@code 0.05 + 0.3 N(0, 1)}, less an exponential
 *       loss of mean 4 in one step of a hundred; constant observation. The return has mean {@code
 *       0.01 / (1 - gamma)} and variance {@code 0.4084 / (1 - gamma^2)}; at discount 0.9 its CVaR
 *       of 5 % is -4.5675.
 * </ul>
 *
 * <p>{@code RewardProcessTest} pins the moments.
 */
public final class RewardProcess implements Environment {
  /** The law of the rewards. */
  public enum Kind {
    /** Independent standard normal rewards. */
    IID_NORMAL,
    /** Rewards of a first-order autoregressive process. */
    AUTOREGRESSIVE,
    /** Independent normal rewards with rare exponential losses. */
    JUMPS
  }

  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(2);
  private static final double COEFFICIENT = 0.9;
  private static final double NOISE = 0.4;
  private static final double JUMP_PROBABILITY = 0.01;
  private static final double JUMP_MEAN = 4;

  private final Kind kind;
  private final double scale;
  private RandomStream random;
  private double value; // the newest reward, not scaled

  /**
   * Creates a process.
   *
   * @param kind the law of the rewards
   * @param scale factor of all rewards, not of the observations; positive and finite
   */
  public RewardProcess(Kind kind, double scale) {
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw new IllegalArgumentException("scale must be positive and finite, was " + scale);
    }
    this.kind = kind;
    this.scale = scale;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("value");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    value =
        kind == Kind.AUTOREGRESSIVE
            ? NOISE / Math.sqrt(1 - COEFFICIENT * COEFFICIENT) * random.nextGaussian()
            : 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    value =
        switch (kind) {
          case IID_NORMAL -> random.nextGaussian();
          case AUTOREGRESSIVE -> COEFFICIENT * value + NOISE * random.nextGaussian();
          case JUMPS -> 0.05 + 0.3 * random.nextGaussian() - jump();
        };
    return Step.of(observation()).reward(scale * value);
  }

  private double jump() {
    return random.nextDouble() < JUMP_PROBABILITY
        ? -JUMP_MEAN * StrictMath.log(1 - random.nextDouble())
        : 0;
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(value);
  }

  @Override
  public void restore(double[] snapshot, RandomStream stream) {
    double[] state = TaskSnapshot.state(snapshot, 1, this);
    random = stream;
    value = state[0];
  }

  /** The value of an autoregressive process; constant otherwise. */
  private float[] observation() {
    return new float[] {kind == Kind.AUTOREGRESSIVE ? (float) value : 1};
  }
}
