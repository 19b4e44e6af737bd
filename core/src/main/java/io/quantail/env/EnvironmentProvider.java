package io.quantail.env;

import io.quantail.config.RunConfig;

/**
 * Gives an environment of your own a name that configurations can use.
 *
 * <p>List the implementing class in {@code META-INF/services/io.quantail.env.EnvironmentProvider}.
 */
public interface EnvironmentProvider {
  /** The name, different from all others, for example {@code "MyTask-v0"}. */
  String name();

  /**
   * Makes the environments of a run.
   *
   * @param config the run's settings, with those of the module that brings the environment
   */
  EnvironmentFactory factory(RunConfig config);
}
