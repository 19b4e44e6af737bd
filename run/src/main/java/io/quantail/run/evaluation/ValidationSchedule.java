package io.quantail.run.evaluation;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.TrainingConfig;
import io.quantail.env.EnvironmentFactory;
import java.util.Optional;

/**
 * When the agent of a training is validated.
 *
 * <p>Without {@code training.validationUpdates} the interval depends on counts alone, so that
 * results do not depend on the speed of a machine: {@code ceil(64 d / (n (1 + e)))} updates, with d
 * decisions of a pass, n transitions and e epochs of an update. {@code
 * docs/reference/file-formats.md} has the measured fractions of the time.
 *
 * @param pass over the validation data
 * @param interval updates between two passes, at least 1
 */
public record ValidationSchedule(ValidationPass pass, long interval) {
  private static final long COST = 64;

  public ValidationSchedule {
    if (interval < 1) {
      throw new IllegalArgumentException("interval must be at least 1, was " + interval);
    }
  }

  /**
   * The schedule of a training; empty if its settings switch validation off, or do not ask for it
   * and there are no validation data.
   *
   * @param environments of training
   * @throws ConfigException if the settings ask for validation and there are no validation data
   */
  public static Optional<ValidationSchedule> of(RunConfig config, EnvironmentFactory environments) {
    TrainingConfig training = config.training();
    Integer updates = training.validationUpdates();
    if (updates != null && updates == 0) {
      return Optional.empty();
    }
    EvaluationProtocolProvider provider = EvaluationProtocolProvider.find(config);
    if (!provider.hasDataParts() && updates == null) {
      training.requireNoValidation(
          "needs validation passes, and %s has them only with training.validationUpdates"
              .formatted(config.environment().name()));
      return Optional.empty();
    }
    ValidationPass pass;
    try {
      pass = provider.validation(config, environments);
    } catch (ConfigException unavailable) {
      training.requireNoValidation("needs validation passes, and " + unavailable.getMessage());
      return Optional.empty();
    }
    return Optional.of(
        new ValidationSchedule(pass, updates == null ? automatic(config, pass) : updates));
  }

  private static long automatic(RunConfig config, ValidationPass pass) {
    long transitions = (long) config.rollout().steps() * config.environment().count();
    long learning = transitions * (1 + config.ppo().epochs());
    return Math.max(1, (COST * pass.decisions() + learning - 1) / learning);
  }

  /**
   * Whether a pass is due.
   *
   * @param update number of the update that was done
   * @param last whether it was the last of the training
   */
  public boolean due(long update, boolean last) {
    return last || update % interval == 0;
  }
}
