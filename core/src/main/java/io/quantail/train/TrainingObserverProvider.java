package io.quantail.train;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Adds an observer to trainings in certain environments. Found by {@link ServiceLoader}. */
public interface TrainingObserverProvider {

  /**
   * Creates the observer of a training.
   *
   * @param environments of training
   * @return a new observer; empty if there is none for these settings or environments
   */
  Optional<? extends TrainingObserver> observer(RunConfig config, EnvironmentFactory environments);

  /** The observers of all providers on the class path. */
  static List<TrainingObserver> load(RunConfig config, EnvironmentFactory environments) {
    return ServiceLoader.load(TrainingObserverProvider.class).stream()
        .<TrainingObserver>flatMap(
            provider -> provider.get().observer(config, environments).stream())
        .toList();
  }
}
