package io.quantail.env.vector;

import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedStep;
import io.quantail.env.EnvironmentException;
import io.quantail.env.ObservationSpace;
import java.util.Arrays;

/**
 * Wraps a user's simulator with the rows it fills in, and turns contract violations into an {@link
 * EnvironmentException} that names the row.
 */
final class GuardedSimulator implements AutoCloseable {
  private static final String ADVICE = "; correct the simulator";

  private final BatchedEnvironment simulator;
  private final BatchedStep rows;
  private final ObservationSpace observationSpace;
  private final ActionSpace actionSpace;
  private final float[] reached; // observations of the last step, before any reset
  private int failedRow;

  GuardedSimulator(BatchedEnvironment simulator) {
    this.simulator = simulator;
    this.rows = new BatchedStep(simulator);
    this.observationSpace = simulator.observationSpace();
    this.actionSpace = simulator.actionSpace();
    this.reached = new float[rows.observations().length];
  }

  /** Steps all rows. */
  void step(float[] actions) {
    rows.clear();
    failedRow = 0;
    try {
      simulator.step(actions, rows);
    } catch (Exception | AssertionError | StackOverflowError | LinkageError thrown) {
      throw failed("step", thrown);
    }
    for (int row = 0; row < rows.count(); row++) {
      if (!Double.isFinite(rows.rewards()[row])) {
        throw broken(row, "reward was " + rows.rewards()[row] + ", must be finite");
      }
      check(row, !ended(row));
    }
    System.arraycopy(rows.observations(), 0, reached, 0, reached.length);
  }

  /** Starts an episode in a row. */
  void reset(int row, long seed) {
    failedRow = row;
    Arrays.fill(rows.masks(), row * rows.maskSize(), (row + 1) * rows.maskSize(), true);
    try {
      simulator.reset(row, seed, rows);
    } catch (Exception | AssertionError | StackOverflowError | LinkageError thrown) {
      throw failed("reset", thrown);
    }
    check(row, true);
  }

  private void check(int row, boolean continues) {
    int size = observationSpace.size();
    for (int i = 0; i < size; i++) {
      float number = rows.observations()[row * size + i];
      if (!Float.isFinite(number)) {
        throw broken(row, observationSpace.name(i) + " was " + number + ", must be finite");
      }
    }
    if (continues && rows.maskSize() > 0) {
      int part = actionSpace.partWithoutChoice(rows.masks(), row * rows.maskSize());
      if (part >= 0) {
        throw broken(
            row,
            "the mask forbade every choice of "
                + (actionSpace.parts().size() == 1
                    ? "the action"
                    : "part " + part + " of the action")
                + ", must leave at least one");
      }
    }
  }

  private EnvironmentException broken(int row, String what) {
    failedRow = row;
    return new EnvironmentException(what + ADVICE);
  }

  private static EnvironmentException failed(String method, Throwable thrown) {
    if (thrown instanceof EnvironmentException known) {
      return known; // it names its cause and a remedy
    }
    String what = thrown.toString().replaceAll("\\s+", " ");
    return new EnvironmentException(method + " threw " + what + ADVICE, thrown);
  }

  /** The row of the last failure; the first one if it is not known. */
  int failedRow() {
    return failedRow;
  }

  /** Whether the last step ended the episode of a row. */
  boolean ended(int row) {
    return rows.terminated()[row] || rows.truncated()[row];
  }

  BatchedStep rows() {
    return rows;
  }

  /** The observations that the last step reached, [row, component]. */
  float[] reached() {
    return reached;
  }

  ObservationSpace observationSpace() {
    return observationSpace;
  }

  ActionSpace actionSpace() {
    return actionSpace;
  }

  @Override
  public void close() {
    simulator.close();
  }
}
