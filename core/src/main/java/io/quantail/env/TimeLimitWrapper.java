package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Truncates the episodes of an environment after a number of steps.
 *
 * <p>The last step is truncated, not terminated, so that a learner still counts the value of the
 * final state; an episode that terminates on that very step stays terminated. See: Pardo et al.,
 * "Time Limits in Reinforcement Learning", 2018, arXiv 1712.00378. {@code TimeLimitWrapperTest}
 * pins it.
 */
public final class TimeLimitWrapper extends EnvironmentWrapper {
  private final int limit;
  private int elapsed;

  /**
   * Limits the episodes of an environment.
   *
   * @param environment the wrapped environment
   * @param limit largest number of steps of an episode, at least 1
   */
  public TimeLimitWrapper(Environment environment, int limit) {
    super(environment);
    if (limit < 1) {
      throw new IllegalArgumentException("time limit must be at least 1 step, was " + limit);
    }
    this.limit = limit;
  }

  @Override
  public float[] reset(RandomStream random) {
    elapsed = 0;
    return environment.reset(random);
  }

  @Override
  public Step step(Action action) {
    Step step = environment.step(action);
    elapsed++;
    return elapsed == limit && !step.isTerminated() ? step.truncated() : step;
  }

  @Override
  public double @Nullable [] snapshot() {
    double[] inner = environment.snapshot();
    if (inner == null) {
      return null;
    }
    double[] snapshot = new double[inner.length + 1];
    snapshot[0] = elapsed;
    System.arraycopy(inner, 0, snapshot, 1, inner.length);
    return snapshot;
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    if (snapshot.length == 0 || !(snapshot[0] >= 0 && snapshot[0] <= limit)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a snapshot of a time limit of %d steps starts with 0 to %d elapsed steps, had %s",
              limit,
              limit,
              snapshot.length == 0 ? "nothing" : snapshot[0]));
    }
    double[] inner = new double[snapshot.length - 1];
    System.arraycopy(snapshot, 1, inner, 0, inner.length);
    environment.restore(inner, random);
    elapsed = (int) snapshot[0];
  }
}
