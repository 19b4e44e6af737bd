package io.quantail.run.evaluation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.train.EvaluationSummary;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of an {@link EpisodeEvaluation}.
 *
 * @param numbers summary of the episodes
 * @param deterministic whether the most likely actions were taken
 * @param seed of the episodes
 * @param limit whether the CVaR limit was kept; null if there is none
 * @param episodes in the order in which they ended; not in files
 */
public record EpisodeEvaluationResult(
    EvaluationSummary numbers,
    boolean deterministic,
    long seed,
    @Nullable LimitResult limit,
    @JsonIgnore List<EpisodeSummary> episodes)
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
