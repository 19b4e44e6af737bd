package io.quantail.study.task;

import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps a limited number of tasks of a source under way. */
public final class TaskWindow {
  private TaskWindow() {}

  /**
   * Where tasks run.
   *
   * @param <R> result of the tasks
   */
  public interface Place<R extends Serializable> {
    /** Number of tasks that may be under way now. */
    int width();

    /** Starts a task. */
    void start(Task<R> task);

    /** The next result; null if none has come for a while, in which the width may have changed. */
    @Nullable TaskResult<R> await() throws InterruptedException;
  }

  /** Runs the tasks of a source until it has no more and all have a result. */
  public static <R extends Serializable> void run(TaskSource<R> source, Place<R> place)
      throws InterruptedException {
    TaskNames underWay = new TaskNames();
    while (true) {
      fill(source, place, underWay);
      if (underWay.size() == 0) {
        return;
      }
      TaskResult<R> result = place.await();
      if (result != null) {
        underWay.remove(result.name());
        source.done(result);
      }
    }
  }

  private static <R extends Serializable> void fill(
      TaskSource<R> source, Place<R> place, TaskNames underWay) {
    while (underWay.size() < place.width()) {
      Optional<? extends Task<R>> next = source.next();
      if (next.isEmpty()) {
        return;
      }
      underWay.add(next.get().name());
      place.start(next.get());
    }
  }
}
