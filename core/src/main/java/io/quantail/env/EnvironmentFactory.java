package io.quantail.env;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Creates the environments of a run, each with its own state. */
@FunctionalInterface
public interface EnvironmentFactory {
  /**
   * Creates an environment.
   *
   * @param index its index in the {@code VectorEnvironment}; the same index must always give an
   *     environment that behaves the same
   * @return a new environment
   */
  Environment create(int index);

  /**
   * {@return what identifies the data of the environments, so that a run is not resumed with other
   * data; null if there are none}
   */
  default @Nullable String dataFingerprint() {
    return null;
  }

  /**
   * {@return the environments in which agents are evaluated while settings are being chosen} They
   * use other data than training and the final evaluation if there are data, otherwise they are the
   * same environments.
   */
  default EnvironmentFactory heldOut() {
    return this;
  }

  /** {@return the number of different episodes; empty if every episode may be new} */
  default OptionalInt differentEpisodes() {
    return OptionalInt.empty();
  }

  /** {@return the steps after which every episode is truncated; empty if that is not known} */
  default OptionalInt longestEpisode() {
    return OptionalInt.empty();
  }
}
