package io.quantail.env.vector;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs tasks that call environments, one after the other. */
interface CallRunner extends AutoCloseable {
  /** Runs tasks in the calling thread, without a deadline. */
  CallRunner DIRECT = tasks -> tasks.forEach(Task::run);

  /** Runs all tasks; returns when each has finished or has been abandoned. */
  void run(List<? extends Task> tasks);

  /** A runner with a deadline per task, or without one if it is null. */
  static CallRunner of(@Nullable Double deadlineSeconds) {
    return deadlineSeconds == null ? DIRECT : new DeadlineRunner(deadlineSeconds);
  }

  @Override
  default void close() {}

  /** Calls an environment and keeps the result. */
  interface Task extends Runnable {
    /** Marks the call as abandoned. Called from the waiting thread. */
    void abandon();
  }
}
