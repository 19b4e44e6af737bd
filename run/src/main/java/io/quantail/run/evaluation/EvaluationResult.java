package io.quantail.run.evaluation;

import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The result of an {@link EvaluationProtocol}. Text and HTML are made from it by the command. */
public interface EvaluationResult {
  /** Record of all numbers, as {@code --json} and {@code result.json} show it. */
  @JsonValue
  Object numbers();

  /** Score by which agents are compared: the mean return of episodes or passes. */
  double score();

  /** Whether the CVaR limit of the run was kept; null if it has none. */
  default @Nullable LimitResult limit() {
    return null;
  }

  /** Writes series that are too long to show into the run directory. */
  void write(Path directory);
}
