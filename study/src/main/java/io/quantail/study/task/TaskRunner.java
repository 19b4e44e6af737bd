package io.quantail.study.task;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs tasks in this process or on a cluster. */
public interface TaskRunner extends AutoCloseable {
  /**
   * Runs the tasks of a source until it has no more. Only as many as can run soon are under way at
   * a time, so that neither the memory of this process nor the files of results that have not been
   * taken grow with the number of tasks. A task that fails does not stop the others. Interrupting
   * the calling thread cancels the rest: running tasks are interrupted, the others never start, and
   * the call ends with a {@link java.util.concurrent.CancellationException} and the thread's
   * interrupted status set. If the source throws, the rest is cancelled too, and the exception is
   * passed to the caller.
   *
   * @param source of tasks with different names
   */
  <R extends Serializable> void run(TaskSource<R> source);

  /**
   * Runs all tasks of a list.
   *
   * @param tasks with different names
   * @param whenDone called once per task as soon as it has a result, by the calling thread
   * @return results in the order of the tasks
   */
  default <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone) {
    TaskNames.require(tasks);
    Map<String, TaskResult<R>> results = new HashMap<>();
    run(
        TaskSource.of(
            tasks,
            result -> {
              results.put(result.name(), result);
              whenDone.accept(result);
            }));
    return tasks.stream().map(task -> results.get(task.name())).toList();
  }

  /** Ends tasks that still run. */
  @Override
  void close();
}
