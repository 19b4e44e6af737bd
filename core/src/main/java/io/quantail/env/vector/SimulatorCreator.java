package io.quantail.env.vector;

import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.EnvironmentException;
import io.quantail.env.ObservationSpace;
import io.quantail.io.CloseAll;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates the simulators of a vector and checks that their spaces agree. */
final class SimulatorCreator {
  private final BatchedEnvironmentFactory factory;
  private @Nullable Spaces spaces;

  SimulatorCreator(BatchedEnvironmentFactory factory) {
    this.factory = factory;
  }

  /** Divides a number of episodes among simulators; closes all of them if one fails. */
  List<GuardedSimulator> all(int count) {
    int simulators = Math.max(1, Math.min(factory.simulators(count), count));
    List<GuardedSimulator> made = new ArrayList<>();
    try {
      for (int i = 0; i < simulators; i++) {
        int first = (int) ((long) count * i / simulators);
        int end = (int) ((long) count * (i + 1) / simulators);
        made.add(create(first, end - first));
      }
      return List.copyOf(made);
    } catch (RuntimeException failure) {
      CloseAll.closeAfter(failure, made);
      throw failure;
    }
  }

  /**
   * Creates a simulator.
   *
   * @param first index of its first environment, for messages
   * @param count number of its episodes
   */
  GuardedSimulator create(int first, int count) {
    BatchedEnvironment simulator;
    try {
      simulator = factory.createBatch(count);
    } catch (EnvironmentException known) {
      throw known; // it names its cause and a remedy
    } catch (RuntimeException exception) {
      throw new EnvironmentException(
          "the simulator of %s could not be created: %s"
              .formatted(environments(first, count), exception),
          exception);
    }
    try {
      check(simulator, first, count);
      return new GuardedSimulator(simulator);
    } catch (RuntimeException failure) {
      if (simulator != null) {
        CloseAll.closeAfter(failure, List.of(simulator));
      }
      throw failure;
    }
  }

  private void check(@Nullable BatchedEnvironment simulator, int first, int count) {
    if (simulator == null) {
      throw new EnvironmentException(
          "the simulator of %s could not be created: the factory returned null"
              .formatted(environments(first, count)));
    }
    if (simulator.count() != count) {
      throw new EnvironmentException(
          String.format(
                  Locale.ROOT,
                  "the factory made a simulator of %d episodes when asked for one of %d; set environment.count to what it can",
                  simulator.count(),
                  count)
              + " make");
    }
    Spaces found =
        new Spaces(simulator.observationSpace(), simulator.actionSpace(), simulator.masks());
    if (spaces == null) {
      spaces = found;
    }
    if (!found.equals(spaces)) {
      throw new EnvironmentException(
          "the simulator of %s has %s, the first one has %s; all must agree"
              .formatted(environments(first, count), found, spaces));
    }
  }

  static String environments(int first, int count) {
    return count == 1
        ? "environment " + first
        : "environments " + first + " to " + (first + count - 1);
  }

  private record Spaces(ObservationSpace observations, ActionSpace actions, boolean masks) {}
}
