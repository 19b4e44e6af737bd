package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.function.Supplier;

/**
 * What an environment is asked for at a time: a step, and the start of the next episode if that
 * ended one; or the start of an episode, perhaps in an environment that has to be made first.
 *
 * <p>It touches nothing but the environment, so that it can run in a thread that is left behind
 * when it hangs. Its results are read by those who have waited for that thread or given it up.
 */
final class Turn implements StepRunner.Task {
  private final Supplier<GuardedEnvironment> source;
  private final float[] action; // null: start an episode
  private final long nextEpisode;
  private final Supplier<RandomStream> nextStream;

  private volatile Step answer;
  private GuardedEnvironment environment;
  private RandomStream random;
  private float[] first;
  private EnvironmentException failure;
  private boolean abandoned; // written and read by the thread that waits

  private Turn(
      Supplier<GuardedEnvironment> source,
      float[] action,
      long nextEpisode,
      Supplier<RandomStream> nextStream) {
    this.source = source;
    this.action = action;
    this.nextEpisode = nextEpisode;
    this.nextStream = nextStream;
  }

  /** A step; if it ends the episode, the start of the next one. */
  static Turn step(
      GuardedEnvironment environment,
      float[] action,
      long nextEpisode,
      Supplier<RandomStream> nextStream) {
    return new Turn(() -> environment, action, nextEpisode, nextStream);
  }

  /** The start of an episode. */
  static Turn start(
      Supplier<GuardedEnvironment> source, long episode, Supplier<RandomStream> stream) {
    return new Turn(source, null, episode, stream);
  }

  @Override
  public void run() {
    try {
      environment = source.get();
      if (action != null) {
        Step step = environment.step(action);
        if (!step.done()) {
          answer = step;
          return;
        }
        // The reset may write the next observation into the same array.
        answer = step.withObservation(step.observation().clone());
      }
      random = nextStream.get();
      first = environment.reset(nextEpisode, random);
    } catch (EnvironmentException thrown) {
      failure = thrown;
    }
  }

  @Override
  public void abandon() {
    abandoned = true;
  }

  /** Whether it took too long; then only {@link #answer} may be read. */
  boolean abandoned() {
    return abandoned;
  }

  boolean isStep() {
    return action != null;
  }

  /** The answer to the action; null when there was none. */
  Step answer() {
    return answer;
  }

  GuardedEnvironment environment() {
    return environment;
  }

  /** The first observation of the next episode; null when none began. */
  float[] first() {
    return first;
  }

  /** The randomness of the next episode. */
  RandomStream random() {
    return random;
  }

  long nextEpisode() {
    return nextEpisode;
  }

  /** Whether the environment cannot be used any more. */
  boolean failed() {
    return abandoned || failure != null;
  }

  /** What was thrown; null when nothing was. */
  EnvironmentException failure() {
    return failure;
  }
}
