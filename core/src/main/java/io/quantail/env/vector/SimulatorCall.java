package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call to a simulator: a step with the resets of the episodes that it ends, or a reset of all
 * rows, possibly of a simulator that is created first.
 *
 * <p>It changes nothing but the simulator, so that it can run in a thread that is abandoned when it
 * hangs.
 */
final class SimulatorCall implements CallRunner.Task {
  private final Supplier<GuardedSimulator> source;
  private final float @Nullable [] actions; // null for a reset
  private final IntToLongFunction seeds;

  private volatile boolean stepped;
  private volatile @Nullable GuardedSimulator simulator;
  private @Nullable EnvironmentException failure;
  private boolean abandoned; // written and read by the waiting thread

  /**
   * @param actions of all rows; null for a reset of all rows
   * @param seeds of the next episode of each row
   */
  SimulatorCall(
      Supplier<GuardedSimulator> source, float @Nullable [] actions, IntToLongFunction seeds) {
    this.source = source;
    this.actions = actions;
    this.seeds = seeds;
  }

  @Override
  public void run() {
    try {
      GuardedSimulator present = source.get();
      simulator = present;
      if (actions != null) {
        present.step(actions);
        stepped = true;
      }
      for (int row = 0; row < present.rows().count(); row++) {
        if (actions == null || present.ended(row)) {
          present.reset(row, seeds.applyAsLong(row));
        }
      }
    } catch (EnvironmentException thrown) {
      failure = thrown;
    }
  }

  @Override
  public void abandon() {
    abandoned = true;
  }

  boolean abandoned() {
    return abandoned;
  }

  boolean isStep() {
    return actions != null;
  }

  /** Whether the step succeeded; a reset after it may have failed all the same. */
  boolean stepped() {
    return stepped;
  }

  /** The simulator that was called; null if it could not be created. */
  @Nullable GuardedSimulator simulator() {
    return simulator;
  }

  boolean failed() {
    return abandoned || failure != null;
  }

  /** The exception of the simulator; null if there was none. */
  @Nullable EnvironmentException failure() {
    return failure;
  }
}
