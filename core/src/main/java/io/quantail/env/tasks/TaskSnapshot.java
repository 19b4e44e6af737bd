package io.quantail.env.tasks;

import io.quantail.env.Environment;
import java.util.Arrays;
import java.util.Locale;

/**
 * Snapshots of the built-in tasks: the numbers of the state, then a 1 that says that the episode is
 * running. Runs of version 0.1 have the same format.
 */
final class TaskSnapshot {
  private static final double RUNNING = 1;

  private TaskSnapshot() {}

  /** A snapshot of a running episode with the given state. */
  static double[] of(double... state) {
    double[] snapshot = Arrays.copyOf(state, state.length + 1);
    snapshot[state.length] = RUNNING;
    return snapshot;
  }

  /** The state in a snapshot of a task whose state has {@code size} numbers. */
  static double[] state(double[] snapshot, int size, Environment task) {
    if (snapshot.length != size + 1 || snapshot[size] != RUNNING) {
      throw new IllegalArgumentException(
          String.format(
                  Locale.ROOT,
                  "%s takes a snapshot of a running episode, %d numbers and a 1, got %s; restore one made by the",
                  task.getClass().getSimpleName(),
                  size,
                  Arrays.toString(snapshot))
              + " same environment");
    }
    return Arrays.copyOf(snapshot, size);
  }
}
