package io.quantail.task;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A piece of work that needs nothing but what it carries, so that it can run in another process;
 * its result depends on its components alone.
 *
 * <p>An attempt may be repeated, by another process and while a lost one still runs. So a task
 * writes into the directory of its attempt and nowhere else, and whoever gets the result decides
 * what of it counts.
 *
 * @param <R> what comes back
 */
public interface Task<R extends Serializable> extends Serializable {
  /**
   * Unique among tasks that run together, and safe as the name of a directory: letters, digits and
   * {@code . _ -}, the first a letter or digit, at most 100.
   */
  String name();

  /** A directory that it reads, where the caller has it; without one it reads what it carries. */
  default Optional<Path> input() {
    return Optional.empty();
  }

  /** The same task, for a process that has a copy of its input elsewhere. */
  default Task<R> withInput(Path copy) {
    return this;
  }

  /**
   * Does the work; ends early with any exception when its thread is interrupted.
   *
   * @param attempt an empty directory of this attempt alone
   */
  R run(Path attempt) throws Exception;
}
