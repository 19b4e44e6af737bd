package io.quantail.app;

import io.quantail.task.AgentTask;
import io.quantail.task.OutcomeFile;
import io.quantail.task.TaskResult;
import io.quantail.task.TaskRunner;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What became of the agents of a directory.
 *
 * @param done outcomes by the names of their tasks
 * @param failed what was said of the others
 * @param <R> what is known of an agent that is done
 */
record AgentTrainings<R extends Serializable>(Map<String, R> done, Map<String, String> failed) {
  /** How often an agent is tried before it counts as failed. */
  private static final int ATTEMPTS = 2;

  /**
   * Trains the agents that are not there yet.
   *
   * @param complete adds to a finished attempt what only this process can, before it is kept
   * @param told how an agent did, in a few words
   */
  static <R extends Serializable> AgentTrainings<R> run(
      List<? extends AgentTask<R>> tasks,
      AgentsDirectory place,
      WhereToRun where,
      Consumer<TaskResult<R>> complete,
      Function<R, String> told) {
    AgentTrainings<R> trainings =
        new AgentTrainings<>(new LinkedHashMap<>(), new LinkedHashMap<>());
    List<AgentTask<R>> left = new ArrayList<>();
    for (AgentTask<R> task : tasks) {
      OutcomeFile.read(place.run(task.name()), task)
          .ifPresentOrElse(
              outcome -> trainings.done.put(task.name(), outcome), () -> left.add(task));
    }
    AgentProgress<R> progress =
        new AgentProgress<>(tasks.size(), trainings.done.size(), told, System.err);
    if (left.isEmpty()) {
      return trainings;
    }
    try (TaskRunner runner = where.open(place.attempts(), ATTEMPTS)) {
      runner.run(
          left,
          result -> {
            if (result.succeeded()) {
              complete.accept(result);
              place.commit(result);
              trainings.done.put(result.name(), result.value());
            } else {
              trainings.failed.put(result.name(), Reason.oneLine(result.failure()));
            }
            progress.show(result);
          });
    }
    return trainings;
  }

  /** Ends the command if an agent is missing. */
  void requireAll() {
    if (!failed.isEmpty()) {
      Map.Entry<String, String> first = failed.entrySet().iterator().next();
      throw new RunStoppedException(
          "%d of %d agents could not be trained (%s); %s said: %s; the others are kept, repeat the"
                  .formatted(
                      failed.size(),
                      failed.size() + done.size(),
                      String.join(", ", failed.keySet()),
                      first.getKey(),
                      first.getValue())
              + " command to try these again",
          null);
    }
  }
}
