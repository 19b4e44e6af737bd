package io.quantail.run.evaluation;

import io.quantail.model.ActingModel;
import java.util.Map;

/**
 * A pass of an agent over the validation data of its run, repeated while it trains. It takes the
 * most likely actions and changes nothing: no bit of the agent and no random stream.
 */
public interface ValidationPass {
  /** The metric by which passes are compared; every pass has it. */
  String SCORE = "validation/return";

  /** Number of decisions of one pass. */
  long decisions();

  /**
   * Runs the pass.
   *
   * @return metrics under {@code validation/}, finite, with {@link #SCORE}
   */
  Map<String, Double> run(ActingModel agent);
}
