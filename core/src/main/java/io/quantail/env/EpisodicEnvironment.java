package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * Base class of environments that tracks whether an episode is running: subclasses define how an
 * episode starts, how it advances, and the numbers of their state.
 *
 * <p>Steps outside an episode are refused. A snapshot is the state's numbers, then 1 while the
 * episode runs and 0 after its end. {@code SnapshotTest} pins it.
 */
public abstract class EpisodicEnvironment implements Environment {
  private boolean running;

  /**
   * Sets the first state of an episode.
   *
   * @param random all randomness of the episode
   * @return the first observation
   */
  protected abstract float[] start(RandomStream random);

  /**
   * Advances the state by one action.
   *
   * @param action an action of the environment's action space
   * @return the result of the action
   */
  protected abstract Step advance(float[] action);

  /** {@return the state as an array of constant length} */
  protected abstract double[] state();

  /**
   * Restores a state that {@link #state()} returned.
   *
   * @param state the saved numbers
   * @param random the stream of the episode, at its saved position
   */
  protected abstract void takeState(double[] state, RandomStream random);

  @Override
  public final float[] reset(RandomStream random) {
    running = true;
    return start(random);
  }

  @Override
  public final Step step(float[] action) {
    if (!running) {
      throw new IllegalStateException(
          getClass().getSimpleName() + " has no running episode; call reset before step");
    }
    Step step = advance(action);
    running = !step.done();
    return step;
  }

  @Override
  public final boolean supportsSnapshot() {
    return true;
  }

  @Override
  public final double[] snapshot() {
    double[] state = state();
    double[] snapshot = Arrays.copyOf(state, state.length + 1);
    snapshot[state.length] = running ? 1 : 0;
    return snapshot;
  }

  @Override
  public final void restore(double[] snapshot, RandomStream random) {
    int size = state().length;
    if (snapshot.length != size + 1) {
      throw new IllegalArgumentException(
          "%s takes a snapshot of %d numbers, got %d; restore one made by the same environment"
              .formatted(getClass().getSimpleName(), size + 1, snapshot.length));
    }
    takeState(Arrays.copyOf(snapshot, size), random);
    running = snapshot[size] != 0;
  }
}
