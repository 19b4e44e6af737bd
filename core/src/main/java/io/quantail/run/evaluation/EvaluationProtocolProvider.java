package io.quantail.run.evaluation;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import java.util.ServiceLoader;

/** Provides the evaluation protocol of a run. Found by {@link ServiceLoader}. */
public interface EvaluationProtocolProvider {

  /** Whether this provider evaluates the agents of a run. */
  boolean supports(RunConfig config);

  /**
   * The protocol of a run that starts or resumes.
   *
   * @param environments of training
   */
  EvaluationProtocol protocol(RunConfig config, EnvironmentFactory environments, DataPart part);

  /** The provider for a run. */
  static EvaluationProtocolProvider find(RunConfig config) {
    return ServiceLoader.load(EvaluationProtocolProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.supports(config))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no evaluation for the environment " + config.environment().name()));
  }
}
