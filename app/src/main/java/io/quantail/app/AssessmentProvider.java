package io.quantail.app;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationProtocolProvider;

/** Provides the evaluation of markets and of all other environments. */
public final class AssessmentProvider implements EvaluationProtocolProvider {
  @Override
  public boolean supports(RunConfig config) {
    return true;
  }

  @Override
  public EvaluationProtocol protocol(
      RunConfig config, EnvironmentFactory environments, DataPart part) {
    return Assessment.of(config, environments, MarketPart.valueOf(part.name()));
  }
}
