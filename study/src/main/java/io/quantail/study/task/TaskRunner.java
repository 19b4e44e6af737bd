package io.quantail.study.task;

import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Runs tasks in this process or on a cluster. */
public interface TaskRunner extends AutoCloseable {
  /**
   * Runs all tasks. A task that fails does not stop the others. Interrupting the calling thread
   * cancels the rest: running tasks are interrupted, the others never start, and the call ends with
   * a {@link java.util.concurrent.CancellationException} and the thread's interrupted status set.
   *
   * @param tasks with different names
   * @param whenDone called once per task as soon as it has a result, by one thread at a time; if it
   *     throws, the rest is cancelled and the exception is passed to the caller
   * @return results in the order of the tasks
   */
  <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone);

  /** Ends tasks that still run. */
  @Override
  void close();

  /** Refuses names that are unsafe for directories or used by two tasks. */
  static void requireNames(List<? extends Task<?>> tasks) {
    Pattern safe = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    Set<String> seen = new HashSet<>();
    for (Task<?> task : tasks) {
      String name = task.name();
      if (name == null || !safe.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "a task's name must be 1 to 100 letters, digits, '.', '_' or '-' and begin with a"
                + " letter or digit, was '%s'".formatted(name));
      }
      if (!seen.add(name)) {
        throw new IllegalArgumentException("two tasks have the name '%s'".formatted(name));
      }
    }
  }
}
