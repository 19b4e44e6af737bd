package io.quantail.run.evaluation;

import io.quantail.train.Evaluation;
import java.nio.file.Path;

/**
 * Result of an {@link EpisodeEvaluation}.
 *
 * @param numbers summary of the episodes
 * @param deterministic whether the most likely actions were taken
 * @param seed of the episodes
 */
public record EpisodeEvaluationResult(Evaluation numbers, boolean deterministic, long seed)
    implements EvaluationResult {

  @Override
  public double score() {
    return numbers.meanReturn();
  }

  @Override
  public void write(Path directory) {
    // There is no series: the summary is all.
  }
}
