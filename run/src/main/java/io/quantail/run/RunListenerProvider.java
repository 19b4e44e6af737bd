package io.quantail.run;

import io.quantail.config.RunConfig;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Adds listeners to every training that leaves a complete run directory: reports and further files.
 * Found by {@link ServiceLoader}, so that processes of a cluster have them too.
 */
public interface RunListenerProvider {

  /**
   * Creates the listeners of one training.
   *
   * @param config settings of the training
   * @return new listeners, in the order in which they are called
   */
  List<RunListener> listeners(RunConfig config);

  /**
   * Creates the listeners of all providers on the class path.
   *
   * @param config settings of the training
   * @return new listeners
   */
  static List<RunListener> load(RunConfig config) {
    return ServiceLoader.load(RunListenerProvider.class).stream()
        .flatMap(provider -> provider.get().listeners(config).stream())
        .toList();
  }
}
