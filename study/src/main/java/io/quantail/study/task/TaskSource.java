package io.quantail.study.task;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Supplies tasks while others run, and takes their results. Both methods are called by the thread
 * that runs the tasks, so that a source may decide on a result which task is next.
 *
 * @param <R> result of the tasks
 */
public interface TaskSource<R extends Serializable> {
  /**
   * The next task. Empty if there is none before another result has come; then the run ends if no
   * task is under way.
   */
  Optional<? extends Task<R>> next();

  /** Takes the result of a task as soon as it has one. */
  void done(TaskResult<R> result);

  /**
   * Supplies the tasks of a list.
   *
   * @param tasks in the order in which they start
   * @param whenDone takes their results
   */
  static <R extends Serializable> TaskSource<R> of(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone) {
    Iterator<? extends Task<R>> left = tasks.iterator();
    return new TaskSource<>() {
      @Override
      public Optional<? extends Task<R>> next() {
        return left.hasNext() ? Optional.of(left.next()) : Optional.empty();
      }

      @Override
      public void done(TaskResult<R> result) {
        whenDone.accept(result);
      }
    };
  }
}
