package io.quantail.env.vector;

import java.util.List;

/** Carries out tasks that call environments, one after the other. */
interface StepRunner extends AutoCloseable {
  /** In the calling thread, for as long as it takes. */
  StepRunner DIRECT = tasks -> tasks.forEach(Task::run);

  /** Returns when every task has come to its end or has been abandoned. */
  void run(List<? extends Task> tasks);

  /** Under a deadline, or without one if it is null. */
  static StepRunner of(Double deadlineSeconds) {
    return deadlineSeconds == null ? DIRECT : new Watchdog(deadlineSeconds);
  }

  @Override
  default void close() {}

  /** Calls an environment and keeps what it said. */
  interface Task extends Runnable {
    /** Says, from another thread, that nobody waits for the rest any more. */
    void abandon();
  }
}
