package io.quantail.env;

import io.quantail.config.RunConfig;

/**
 * Registers a user's environment under a name for configurations.
 *
 * <p>List the implementing class in {@code META-INF/services/io.quantail.env.EnvironmentProvider}.
 */
public interface EnvironmentProvider {
  /**
   * {@return a unique name, for example {@code "MyTask-v0"}} A name that ends in a colon stands for
   * all names that begin with it, such as {@code "gymnasium:"} for {@code "gymnasium:CartPole-v1"}.
   */
  String name();

  /**
   * Creates the factory for the environments of a run.
   *
   * @param config the run's settings, with those of the module that provides the environment
   * @return the factory
   */
  EnvironmentFactory factory(RunConfig config);
}
