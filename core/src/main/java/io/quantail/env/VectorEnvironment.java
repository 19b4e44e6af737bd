package io.quantail.env;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Several environments stepped as one, each starting its next episode as soon as one ends.
 *
 * <p>Episode {@code e} of environment {@code k} draws from the stream (seed, "environment/k", e)
 * and from nothing else, so results depend neither on the number of threads nor on timing. The
 * arrays are live: the next call changes them. Disjoint ranges may be stepped by different threads;
 * whoever reads the arrays afterwards must have waited for those threads. After an {@link
 * EnvironmentException} the failed environment refuses steps until {@link #reset}; no other is
 * touched. {@code VectorEnvironmentTest} and {@code VectorDeterminismTest} pin all this.
 */
public final class VectorEnvironment implements AutoCloseable {
  private final List<EnvironmentSlot> slots;
  private final int observationSize;
  private final ActionSpace actionSpace;
  private final VectorBuffers buffers;

  /**
   * @param count how many environments, at least 1
   * @param seed of the run
   */
  public VectorEnvironment(EnvironmentFactory factory, int count, long seed) {
    if (count < 1) {
      throw new IllegalArgumentException("there must be at least 1 environment, was " + count);
    }
    List<Environment> environments = createAll(factory, count);
    this.observationSize = environments.get(0).observationSize();
    this.actionSpace = environments.get(0).actionSpace();
    this.buffers = VectorBuffers.allocate(count, observationSize);
    this.slots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slots.add(new EnvironmentSlot(environments.get(i), i, seed, buffers));
    }
  }

  public int count() {
    return slots.size();
  }

  public int observationSize() {
    return observationSize;
  }

  public ActionSpace actionSpace() {
    return actionSpace;
  }

  /** Starts a new episode everywhere; unfinished ones are dropped without report. */
  public void reset() {
    slots.forEach(EnvironmentSlot::reset);
  }

  /**
   * Steps the environments {@code from} (inclusive) to {@code to} (exclusive).
   *
   * @param actions [environment, action] of all environments; those in the range are checked before
   *     any of them is stepped
   */
  public void step(int from, int to, float[] actions) {
    if (from < 0 || to > count() || from > to) {
      throw new IndexOutOfBoundsException(
          "range must lie in 0..%d, was %d..%d".formatted(count(), from, to));
    }
    int size = actionSpace.size();
    if (actions.length != count() * size) {
      throw new IllegalArgumentException(
          "actions must have %d x %d numbers, had %d".formatted(count(), size, actions.length));
    }
    for (int i = from; i < to; i++) {
      if (!actionSpace.accepts(actions, i * size)) {
        throw new IllegalArgumentException(
            "action %s of environment %d is not in %s; clip or correct it before stepping"
                .formatted(Arrays.toString(row(actions, i, size)), i, actionSpace));
      }
    }
    for (int i = from; i < to; i++) {
      slots.get(i).step(row(actions, i, size));
    }
  }

  /**
   * [environment, component]: what to act on next, after the start of a new episode if one ended.
   */
  public float[] observations() {
    return buffers.observations();
  }

  /** The rewards of the last step. */
  public double[] rewards() {
    return buffers.rewards();
  }

  /** Where the last step ended a task. */
  public boolean[] terminated() {
    return buffers.terminated();
  }

  /** Where the last step cut an episode; never where it terminated. */
  public boolean[] truncated() {
    return buffers.truncated();
  }

  /**
   * [environment, component]: last sight of an ended episode; valid where the last step ended one.
   */
  public float[] terminalObservations() {
    return buffers.terminalObservations();
  }

  /** The named numbers of an environment's last step. */
  public Map<String, Double> info(int environment) {
    return slots.get(environment).info();
  }

  /** The episodes that ended since the last call, by environment, then in order of time. */
  public List<Episode> drainEpisodes() {
    List<Episode> episodes = new ArrayList<>();
    slots.forEach(slot -> slot.drainEpisodesInto(episodes));
    return List.copyOf(episodes);
  }

  /** Whether all environments can save and restore themselves. */
  public boolean supportsSnapshot() {
    return slots.stream().allMatch(EnvironmentSlot::supportsSnapshot);
  }

  /** All running episodes, one array per environment; finished episodes must have been drained. */
  public List<double[]> snapshot() {
    return slots.stream().map(EnvironmentSlot::snapshot).toList();
  }

  /** Continues the episodes of a snapshot taken with the same factory, count and seed. */
  public void restore(List<double[]> snapshot) {
    if (snapshot.size() != count()) {
      throw new IllegalArgumentException(
          "snapshot must be of %d environments, was of %d".formatted(count(), snapshot.size()));
    }
    for (int i = 0; i < count(); i++) {
      slots.get(i).restore(snapshot.get(i));
    }
  }

  @Override
  public void close() {
    closeAll(slots, null);
  }

  private static float[] row(float[] actions, int index, int size) {
    return Arrays.copyOfRange(actions, index * size, (index + 1) * size);
  }

  private static List<Environment> createAll(EnvironmentFactory factory, int count) {
    List<Environment> environments = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        Environment environment = create(factory, i);
        boolean shared = environments.stream().anyMatch(other -> other == environment);
        if (shared) {
          throw new EnvironmentException(
              "environment %d is the same object as an earlier one; the factory must create a new"
                      .formatted(i)
                  + " one on each call");
        }
        environments.add(environment);
        requireSameSpaces(environments.get(0), environment, i);
      }
      return environments;
    } catch (RuntimeException failure) {
      closeAll(environments, failure);
      throw failure;
    }
  }

  private static Environment create(EnvironmentFactory factory, int index) {
    Environment environment;
    try {
      environment = factory.create(index);
    } catch (RuntimeException exception) {
      throw new EnvironmentException(
          "environment " + index + " could not be created: " + exception, exception);
    }
    if (environment == null) {
      throw new EnvironmentException(
          "environment " + index + " could not be created: the factory returned null");
    }
    return environment;
  }

  private static void requireSameSpaces(Environment first, Environment other, int index) {
    Spaces expected = Spaces.of(first, 0);
    Spaces found = Spaces.of(other, index);
    if (found.observationSize() < 1 || found.actionSpace() == null) {
      throw new EnvironmentException(
          "environment %d has observation size %d and action space %s; it needs at least 1 and one"
              .formatted(index, found.observationSize(), found.actionSpace()));
    }
    if (!found.equals(expected)) {
      throw new EnvironmentException(
          "environment %d has observation size %d and %s, environment 0 has %d and %s; all must agree"
              .formatted(
                  index,
                  found.observationSize(),
                  found.actionSpace(),
                  expected.observationSize(),
                  expected.actionSpace()));
    }
  }

  /** What an environment says of itself; {@link ActionSpace} refuses what we do not support. */
  private record Spaces(int observationSize, ActionSpace actionSpace) {
    static Spaces of(Environment environment, int index) {
      try {
        return new Spaces(environment.observationSize(), environment.actionSpace());
      } catch (RuntimeException exception) {
        throw new EnvironmentException(
            "environment %d has no usable observation size or action space: %s; correct the"
                    .formatted(index, exception.getMessage())
                + " environment",
            exception);
      }
    }
  }

  /** Closes everything even if some refuse; the first failure carries the others. */
  private static void closeAll(List<? extends AutoCloseable> closeables, RuntimeException cause) {
    RuntimeException failure = cause;
    for (AutoCloseable closeable : closeables) {
      try {
        closeable.close();
      } catch (Exception exception) {
        if (failure == null) {
          failure =
              new EnvironmentException("an environment did not close: " + exception, exception);
        } else {
          failure.addSuppressed(exception);
        }
      }
    }
    if (cause == null && failure != null) {
      throw failure;
    }
  }
}
