package io.quantail.env;

/**
 * Creates the simulators of a run.
 *
 * <p>It is an {@link EnvironmentFactory} too, whose environments are simulators of one episode, so
 * that a simulator can be checked, replayed and wrapped like any environment.
 */
@FunctionalInterface
public interface BatchedEnvironmentFactory extends EnvironmentFactory {
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

  // A factory of simulators keeps what it is when it is passed as a factory of environments.
  @SuppressWarnings("FunctionalInterfaceMethodChanged")
  @Override
  default Environment create(int index) {
    return SingleEpisode.of(createBatch(1));
  }
}
