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

  /**
   * Identifies the data that the environments are made of, so that a run is not resumed with
   * others; null when there are none.
   */
  default String dataFingerprint() {
    return null;
  }
}
