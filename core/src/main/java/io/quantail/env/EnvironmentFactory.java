package io.quantail.env;

import java.util.OptionalInt;

/** Makes the environments of a run, each with its own state. */
@FunctionalInterface
public interface EnvironmentFactory {
  /**
   * A new environment.
   *
   * @param index its place in the {@code VectorEnvironment}; the same index must always give an
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

  /**
   * What agents are judged in while settings are still being chosen: other data than those of
   * training and of the final judgement where there are data, otherwise the same environments.
   */
  default EnvironmentFactory heldOut() {
    return this;
  }

  /** How many different episodes there are; empty when every one may be new. */
  default OptionalInt differentEpisodes() {
    return OptionalInt.empty();
  }
}
