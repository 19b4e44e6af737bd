package io.quantail.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.health.AlertSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a training; the content of {@code result.json}.
 *
 * @param run run directory
 * @param steps environment steps done
 * @param seconds training time of this process
 * @param stepsPerSecond training speed of this process
 * @param agent which agent was evaluated, and why the training ended
 * @param evaluation of the trained agent; null if it was not evaluated
 * @param alerts raised during training
 * @param report path of the HTML report; null if there is none
 */
public record RunResult(
    String run,
    long steps,
    double seconds,
    double stepsPerSecond,
    TrainedAgent agent,
    @Nullable EvaluationResult evaluation,
    List<AlertSummary> alerts,
    @Nullable String report) {

  /** {@return whether the CVaR limit was kept; null if the run has none} */
  @JsonProperty
  public @Nullable LimitResult limit() {
    return evaluation == null ? null : evaluation.limit();
  }

  /**
   * Adds a report.
   *
   * @param file path of the HTML report
   * @return the same result with the report
   */
  public RunResult withReport(String file) {
    return new RunResult(run, steps, seconds, stepsPerSecond, agent, evaluation, alerts, file);
  }
}
