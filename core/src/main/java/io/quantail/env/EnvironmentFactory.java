package io.quantail.env;

/** Makes the environments of a run, each with its own state. */
@FunctionalInterface
public interface EnvironmentFactory {
  /**
   * A new environment.
   *
   * @param index its place in the {@link VectorEnvironment}; the same index must always give an
   *     environment that behaves the same
   */
  Environment create(int index);
}
