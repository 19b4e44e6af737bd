package io.quantail.run;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * Makes the environments of runs that take more from their ancestors than weights, such as the
 * scaling of features. Found by {@link ServiceLoader}.
 */
public interface RunEnvironments {

  /**
   * Tells whether this provider makes the environments of a run.
   *
   * @param config settings of the run
   * @return whether it does
   */
  boolean supports(RunConfig config);

  /**
   * Makes the environments of a training that starts with the agent of a run.
   *
   * @param config settings of the training
   * @param ancestor the run, which this provider supports
   * @return the environments
   * @throws RuntimeException with a message for users if the agent cannot be trained in them
   */
  EnvironmentFactory inheriting(RunConfig config, RunReader ancestor);

  /**
   * Makes the environments of a run again, from its settings and its directory alone.
   *
   * @param config settings of the run
   * @param run its directory
   * @return the same environments
   */
  EnvironmentFactory reopened(RunConfig config, Path run);

  /**
   * Makes the environments of a run again, whether it has ancestors or not.
   *
   * @param config settings of the run
   * @param run its directory
   * @return the same environments
   */
  static EnvironmentFactory of(RunConfig config, Path run) {
    return find(config).reopened(config, run);
  }

  /**
   * Finds the provider of a run.
   *
   * @param config settings of the run
   * @return the provider; one that needs the settings alone if there is no other
   */
  static RunEnvironments find(RunConfig config) {
    return ServiceLoader.load(RunEnvironments.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.supports(config))
        .findFirst()
        .orElse(BY_SETTINGS);
  }

  /** Environments that depend on the settings alone. */
  RunEnvironments BY_SETTINGS =
      new RunEnvironments() {
        @Override
        public boolean supports(RunConfig config) {
          return true;
        }

        @Override
        public EnvironmentFactory inheriting(RunConfig config, RunReader ancestor) {
          EnvironmentFactory environments = EnvironmentRegistry.of(config);
          Inheritance.requireSameSpaces(config, environments, ancestor);
          return environments;
        }

        @Override
        public EnvironmentFactory reopened(RunConfig config, Path run) {
          return EnvironmentRegistry.of(config);
        }
      };
}
