package io.quantail.run.evaluation;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * Provides the evaluation protocol of environments that need one of their own. Found by {@link
 * ServiceLoader}; agents in all other environments are evaluated by episodes.
 */
public interface EvaluationProtocolProvider {

  /** Whether this provider evaluates the agents of a run. */
  boolean supports(RunConfig config);

  /** Whether the environments are made of data that {@link DataPart} divides. */
  boolean hasDataParts();

  /**
   * The protocol of a run that starts or resumes.
   *
   * @param environments of training
   */
  EvaluationProtocol protocol(RunConfig config, EnvironmentFactory environments, DataPart part);

  /**
   * The protocol of a trained agent.
   *
   * @param directory of the run
   * @param seed of the evaluation
   */
  EvaluationProtocol reopen(RunConfig config, Path directory, DataPart part, long seed);

  /**
   * The validation pass of a run that starts or resumes.
   *
   * @param environments of training
   * @throws io.quantail.config.ConfigException if there are too few validation data for a pass; the
   *     message has no advice
   */
  ValidationPass validation(RunConfig config, EnvironmentFactory environments);

  /** The provider for a run. */
  static EvaluationProtocolProvider find(RunConfig config) {
    for (EvaluationProtocolProvider provider :
        ServiceLoader.load(EvaluationProtocolProvider.class)) {
      if (provider.supports(config)) {
        return provider;
      }
    }
    return EPISODES;
  }

  /** Evaluates by episodes of the run's own environments. */
  EvaluationProtocolProvider EPISODES =
      new EvaluationProtocolProvider() {
        @Override
        public boolean supports(RunConfig config) {
          return true;
        }

        @Override
        public boolean hasDataParts() {
          return false;
        }

        @Override
        public EvaluationProtocol protocol(
            RunConfig config, EnvironmentFactory environments, DataPart part) {
          return EpisodeEvaluation.of(config, environments, config.seed());
        }

        @Override
        public EvaluationProtocol reopen(
            RunConfig config, Path directory, DataPart part, long seed) {
          return EpisodeEvaluation.of(config, EnvironmentRegistry.of(config), seed);
        }

        @Override
        public ValidationPass validation(RunConfig config, EnvironmentFactory environments) {
          return EpisodeValidationPass.of(config, environments);
        }
      };
}
