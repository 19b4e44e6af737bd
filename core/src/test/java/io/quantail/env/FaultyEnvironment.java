package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.concurrent.CountDownLatch;

/**
 * Goes wrong now and then: what, is drawn at each step from the episode's own stream, so that the
 * same stream and actions fail at the same step in the same way.
 */
public final class FaultyEnvironment extends CountingEnvironment {
  /**
   * How likely each fault is in a step.
   *
   * @param exception it throws
   * @param hang it never returns
   * @param output it answers NaN
   */
  public record Odds(double exception, double hang, double output) {
    public static final Odds NONE = new Odds(0, 0, 0);
  }

  private final Odds odds;
  private RandomStream random;

  public FaultyEnvironment(int length, Odds odds) {
    super(length);
    this.odds = odds;
  }

  @Override
  public float[] reset(RandomStream stream) {
    random = stream;
    return super.reset(stream);
  }

  @Override
  public Step step(Action action) {
    double costs = count % 3 == 0 ? Double.POSITIVE_INFINITY : 0.01;
    Step plain = super.step(action);
    Step step =
        Step.of(plain.observation())
            .reward(plain.reward())
            .terminated(plain.isTerminated())
            .truncated(plain.isTruncated())
            .info("reward_costs_fraction", costs);
    double draw = random.nextDouble();
    if (draw < odds.exception()) {
      throw new IllegalStateException("lost the feed");
    } else if (draw < odds.exception() + odds.hang()) {
      hang();
    } else if (draw < odds.exception() + odds.hang() + odds.output()) {
      return step.withObservation(new float[] {Float.NaN, 0});
    }
    return step;
  }

  /** Never returns, whoever interrupts it. */
  public static void hang() {
    CountDownLatch never = new CountDownLatch(1);
    while (true) {
      try {
        never.await();
      } catch (InterruptedException deaf) {
        // stays where it is
      }
    }
  }

  @Override
  public void restore(double[] state, RandomStream stream) {
    super.restore(state, stream);
    random = stream;
  }
}
