package io.quantail.task;

import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Carries out tasks, here or elsewhere. */
public interface TaskRunner extends AutoCloseable {
  /**
   * Runs all tasks; a task that fails does not stop the others. Interrupting the calling thread
   * cancels what is left: the running tasks are interrupted, the others never start, and the call
   * ends with a {@link java.util.concurrent.CancellationException} and the thread's interrupted
   * status set.
   *
   * @param tasks with names that differ
   * @param whenDone called once per task as soon as it has its result, from one thread at a time;
   *     if it throws, the rest is cancelled and the exception thrown to the caller
   * @return the results in the order of the tasks
   */
  <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone);

  /** Ends what still runs. */
  @Override
  void close();

  /** Refuses names that are no directory names, or that two tasks share. */
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
