package io.quantail.env;

/** Creates the simulators of a run. */
@FunctionalInterface
public interface BatchedEnvironmentFactory {
  /**
   * Creates a simulator.
   *
   * @param count number of its episodes
   * @return a new simulator of that many episodes
   */
  BatchedEnvironment createBatch(int count);

  /**
   * Chooses among how many simulators the episodes of a run are divided; several are stepped at the
   * same time.
   *
   * @param count number of episodes
   * @return at least 1 and at most {@code count}; 1 unless overridden
   */
  default int simulators(int count) {
    return 1;
  }
}
