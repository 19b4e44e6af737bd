package io.quantail.study.directory;

import io.quantail.run.RunStoppedException;
import io.quantail.study.task.AgentTask;
import io.quantail.study.task.OutcomeFile;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import io.quantail.study.task.TaskSource;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of the trainings of a study.
 *
 * @param done outcomes by the names of their tasks
 * @param failed messages of failed trainings by the names of their tasks
 * @param <R> outcome of a training
 */
public record StudyTrainings<R extends Serializable>(
    Map<String, R> done, Map<String, String> failed) {
  /** Number of attempts before a training counts as failed. */
  private static final int ATTEMPTS = 2;

  /** Opens the task runner of a study. */
  @FunctionalInterface
  public interface RunnerFactory {
    /**
     * Opens a task runner.
     *
     * @param directory of the attempts
     * @param attempts before a task counts as failed
     * @return the runner; the caller closes it
     */
    TaskRunner open(Path directory, int attempts);
  }

  /**
   * Follows the trainings of a study.
   *
   * @param <R> outcome of a training
   */
  public interface Listener<R> {
    /**
     * Called before the first training.
     *
     * @param total number of agents
     * @param done agents whose outcome is in the directory already
     */
    void onStart(int total, int done);

    /**
     * Called when a training is done or has failed.
     *
     * @param result of the task
     */
    void onResult(TaskResult<R> result);
  }

  /**
   * Trains the agents that have no outcome in the directory yet.
   *
   * @param <R> outcome of a training
   * @param tasks one for each agent
   * @param directory of the study
   * @param runners opens the runner of the tasks
   * @param listener follows the trainings
   * @return the outcomes, those in the directory included
   */
  public static <R extends Serializable> StudyTrainings<R> run(
      List<? extends AgentTask<R>> tasks,
      StudyDirectory directory,
      RunnerFactory runners,
      Listener<R> listener) {
    StudyTrainings<R> trainings =
        new StudyTrainings<>(new LinkedHashMap<>(), new LinkedHashMap<>());
    List<AgentTask<R>> left = new ArrayList<>();
    for (AgentTask<R> task : tasks) {
      OutcomeFile.read(directory.run(task.name()), task)
          .ifPresentOrElse(
              outcome -> trainings.done.put(task.name(), outcome), () -> left.add(task));
    }
    listener.onStart(tasks.size(), trainings.done.size());
    if (left.isEmpty()) {
      return trainings;
    }
    try (TaskRunner runner = runners.open(directory.attempts(), ATTEMPTS)) {
      runner.run(
          TaskSource.of(
              left,
              result -> {
                if (result.succeeded()) {
                  directory.commit(result);
                }
                trainings.add(result);
                listener.onResult(result);
              }));
    }
    return trainings;
  }

  /**
   * Adds the result of a training.
   *
   * @param result of the task; null if it has none
   */
  public void add(@Nullable TaskResult<R> result) {
    if (result == null) {
      return;
    }
    if (result.value() != null) {
      done.put(result.name(), result.value());
    } else {
      failed.put(result.name(), oneLine(Objects.requireNonNull(result.failure())));
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }

  /**
   * Requires that every agent was trained.
   *
   * @throws RunStoppedException if one failed
   */
  public void requireAll() {
    if (!failed.isEmpty()) {
      Map.Entry<String, String> first = failed.entrySet().iterator().next();
      throw new RunStoppedException(
          String.format(
                  Locale.ROOT,
                  "%d of %d agents could not be trained (%s); message of %s: %s; the others are"
                      + " kept, repeat",
                  failed.size(),
                  failed.size() + done.size(),
                  String.join(", ", failed.keySet()),
                  first.getKey(),
                  first.getValue())
              + " the command to train these again",
          null);
    }
  }
}
