package io.quantail;

/**
 * Follows a training. All methods are called by the thread that trains, and do nothing by default.
 * Trackers such as MLflow or Weights &amp; Biases are listeners of a few lines.
 */
public interface TrainingListener {

  /**
   * Called before the first update is reported.
   *
   * @param settings of the training
   */
  default void started(Settings settings) {}

  /**
   * Called after every update.
   *
   * @param progress of the training
   */
  default void updated(Progress progress) {}

  /**
   * Called after every evaluation during the training.
   *
   * @param progress of the training
   * @param evaluation of its agent
   */
  default void evaluated(Progress progress, Evaluation evaluation) {}

  /**
   * Called when a health rule fires.
   *
   * @param alert what happened
   */
  default void alerted(Alert alert) {}

  /**
   * Called last, unless the training failed.
   *
   * @param result of the training
   */
  default void ended(TrainingResult result) {}
}
