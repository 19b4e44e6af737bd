package io.quantail.env;

import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Environments whose episodes are truncated after a number of steps.
 *
 * @param environments that are limited
 * @param limit largest number of steps of an episode, at least 1
 */
public record LimitedEnvironments(EnvironmentFactory environments, int limit)
    implements EnvironmentFactory {

  /**
   * Limits episodes if there is a limit.
   *
   * @param environments that may be limited
   * @param limit largest number of steps of an episode; null for none
   * @return the environments
   */
  public static EnvironmentFactory of(EnvironmentFactory environments, @Nullable Integer limit) {
    if (limit == null) {
      return environments;
    }
    return environments instanceof BatchedEnvironmentFactory simulators
        ? new LimitedSimulators(simulators, limit)
        : new LimitedEnvironments(environments, limit);
  }

  @Override
  public Environment create(int index) {
    return new TimeLimitWrapper(
        Objects.requireNonNull(environments.create(index), "the factory returned null"), limit);
  }

  @Override
  public @Nullable String dataFingerprint() {
    return environments.dataFingerprint();
  }

  @Override
  public EnvironmentFactory heldOut() {
    return of(environments.heldOut(), limit);
  }

  @Override
  public OptionalInt differentEpisodes() {
    return environments.differentEpisodes();
  }

  @Override
  public OptionalInt longestEpisode() {
    return OptionalInt.of(Math.min(limit, environments.longestEpisode().orElse(limit)));
  }

  /** Simulators whose episodes are truncated after a number of steps. */
  private record LimitedSimulators(BatchedEnvironmentFactory simulators, int limit)
      implements BatchedEnvironmentFactory {
    @Override
    public BatchedEnvironment createBatch(int count) {
      return new LimitedSimulator(simulators.createBatch(count), limit);
    }

    @Override
    public int simulators(int count) {
      return simulators.simulators(count);
    }

    @Override
    public @Nullable String dataFingerprint() {
      return simulators.dataFingerprint();
    }

    @Override
    public EnvironmentFactory heldOut() {
      return of(simulators.heldOut(), limit);
    }

    @Override
    public OptionalInt differentEpisodes() {
      return simulators.differentEpisodes();
    }

    @Override
    public OptionalInt longestEpisode() {
      return OptionalInt.of(Math.min(limit, simulators.longestEpisode().orElse(limit)));
    }
  }
}
