package io.quantail.run.evaluation;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.model.ActingModel;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import java.nio.file.Path;

/** Evaluates the agents of a run. */
public interface EvaluationProtocol {

  /** The protocol of a run after training: on the {@link DataPart#TEST} part of its data. */
  static EvaluationProtocol of(RunConfig config, EnvironmentFactory environments) {
    return of(config, environments, DataPart.TEST);
  }

  /**
   * The protocol of a run on a part of its data.
   *
   * @param environments of training
   * @param part ignored by environments that are not made of data
   */
  static EvaluationProtocol of(RunConfig config, EnvironmentFactory environments, DataPart part) {
    return EvaluationProtocolProvider.find(config).protocol(config, environments, part);
  }

  /** Environments that agents are evaluated in. */
  EnvironmentFactory environments();

  /** What a score measures, for readers of tables and reports. */
  default String scoreDescription() {
    return "mean return";
  }

  /**
   * Writes the files that later commands need besides settings and snapshots. Called once, when a
   * run starts.
   */
  void prepare(Path directory);

  /**
   * The protocol with what a training learnt beside the agent.
   *
   * @param state of a snapshot, or of {@link io.quantail.train.Trainer#observed}
   */
  default EvaluationProtocol with(StateMap state) {
    return this;
  }

  /**
   * Evaluates an agent.
   *
   * @param scale converts predictions of the agent's critics to returns
   */
  EvaluationResult evaluate(ActingModel agent, ReturnScale scale);
}
