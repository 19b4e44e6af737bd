package io.quantail.run;

import io.quantail.metrics.MetricRow;
import io.quantail.run.evaluation.ValidationPass;
import org.jspecify.annotations.Nullable;

/**
 * The validation passes of a training so far. It follows from the recorded rows, so that a resumed
 * run has the same history as an uninterrupted one.
 *
 * @param passes number of passes
 * @param bestUpdate update of the pass with the highest return, of equal ones the earlier; 0
 *     without passes
 * @param bestReturn its return; NaN without passes
 * @param passesSinceBest number of passes after it
 */
public record ValidationHistory(
    int passes, long bestUpdate, double bestReturn, int passesSinceBest) {
  static final ValidationHistory NONE = new ValidationHistory(0, 0, Double.NaN, 0);

  /** The history with a recorded row; the same if the row has no pass. */
  ValidationHistory with(MetricRow row) {
    Double score = row.values().get(ValidationPass.SCORE);
    return score == null ? this : with(row.update(), score);
  }

  /** The history with a pass. */
  ValidationHistory with(long update, double score) {
    boolean better = passes == 0 || score > bestReturn;
    return better
        ? new ValidationHistory(passes + 1, update, score, 0)
        : new ValidationHistory(passes + 1, bestUpdate, bestReturn, passesSinceBest + 1);
  }

  /**
   * Whether so many passes in a row were not better than one before that a training ends.
   *
   * @param patience {@code training.patience}
   */
  boolean exhausts(@Nullable Integer patience) {
    return patience != null && passesSinceBest >= patience;
  }
}
