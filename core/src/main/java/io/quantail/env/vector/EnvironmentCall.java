package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call to an environment: a step with automatic reset, or a reset, possibly of an environment
 * that is created first.
 *
 * <p>It changes nothing but the environment, so that it can run in a thread that is abandoned when
 * it hangs. Its results are read after that thread has finished or has been abandoned.
 */
final class EnvironmentCall implements CallRunner.Task {
  private final @Nullable Supplier<GuardedEnvironment> source;
  private final float @Nullable [] action; // null for a reset and after a step
  private final boolean isStep;
  private final long nextEpisode;
  private final @Nullable Supplier<RandomStream> nextStream;

  private volatile @Nullable Step answer;
  private @Nullable GuardedEnvironment environment;
  private @Nullable RandomStream random;
  private float @Nullable [] first;
  private @Nullable EnvironmentException failure;
  private boolean abandoned; // written and read by the waiting thread

  private EnvironmentCall(
      @Nullable Supplier<GuardedEnvironment> source,
      float @Nullable [] action,
      boolean isStep,
      long nextEpisode,
      @Nullable Supplier<RandomStream> nextStream) {
    this.source = source;
    this.action = action;
    this.isStep = isStep;
    this.nextEpisode = nextEpisode;
    this.nextStream = nextStream;
  }

  /** A step; if it ends the episode, also the start of the next one. */
  static EnvironmentCall step(
      GuardedEnvironment environment,
      float[] action,
      long nextEpisode,
      Supplier<RandomStream> nextStream) {
    return new EnvironmentCall(() -> environment, action, true, nextEpisode, nextStream);
  }

  /** The rest of a step that has ended its episode: the start of the next one. */
  static EnvironmentCall afterEnd(
      GuardedEnvironment environment,
      Step last,
      long nextEpisode,
      Supplier<RandomStream> nextStream) {
    EnvironmentCall turn =
        new EnvironmentCall(() -> environment, null, true, nextEpisode, nextStream);
    turn.keep(last);
    return turn;
  }

  /** A step that has failed; there is nothing to run. */
  static EnvironmentCall failedStep(long nextEpisode, EnvironmentException failure) {
    EnvironmentCall turn = new EnvironmentCall(null, null, true, nextEpisode, null);
    turn.failure = failure;
    return turn;
  }

  /** The start of an episode. */
  static EnvironmentCall start(
      Supplier<GuardedEnvironment> source, long episode, Supplier<RandomStream> stream) {
    return new EnvironmentCall(source, null, false, episode, stream);
  }

  @Override
  public void run() {
    try {
      environment = Objects.requireNonNull(source).get();
      if (action != null) {
        Step step = environment.step(action, 0);
        if (!step.done()) {
          answer = step;
          return;
        }
        keep(step);
      }
      random = Objects.requireNonNull(nextStream).get();
      first = environment.reset(nextEpisode, random);
    } catch (EnvironmentException thrown) {
      failure = thrown;
    }
  }

  /** Copies the last observation: the reset may write the next one into the same array. */
  private void keep(Step last) {
    answer = last.withObservation(last.observation().clone());
  }

  @Override
  public void abandon() {
    abandoned = true;
  }

  /** Whether the call exceeded its deadline; then only {@link #answer} may be read. */
  boolean abandoned() {
    return abandoned;
  }

  boolean isStep() {
    return isStep;
  }

  /** The result of the step; null if there was none. */
  @Nullable Step answer() {
    return answer;
  }

  @Nullable GuardedEnvironment environment() {
    return environment;
  }

  /** The first observation of the next episode; null if none started. */
  float @Nullable [] first() {
    return first;
  }

  /** The random stream of the next episode. */
  @Nullable RandomStream random() {
    return random;
  }

  long nextEpisode() {
    return nextEpisode;
  }

  /** Whether the environment can no longer be used. */
  boolean failed() {
    return abandoned || failure != null;
  }

  /** The exception of the environment; null if there was none. */
  @Nullable EnvironmentException failure() {
    return failure;
  }
}
