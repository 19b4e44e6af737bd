package io.quantail.env;

/**
 * Gives an environment of your own a name that configurations can use.
 *
 * <p>List the implementing class in {@code META-INF/services/io.quantail.env.EnvironmentProvider}.
 */
public interface EnvironmentProvider {
  /** The name, different from all others, for example {@code "MyTask-v0"}. */
  String name();

  EnvironmentFactory factory();
}
