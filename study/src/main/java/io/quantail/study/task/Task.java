package io.quantail.study.task;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Self-contained work that can run in another process. Its result depends on its components alone.
 *
 * <p>An attempt may be repeated by another process while a lost one still runs. A task therefore
 * writes only into the directory of its attempt, and the caller decides which attempt to keep.
 *
 * @param <R> result of the task
 */
public interface Task<R extends Serializable> extends Serializable {
  /**
   * Name that is unique among tasks that run together and safe for a directory: letters, digits and
   * {@code . _ -}, the first a letter or digit, at most 100.
   */
  String name();

  /** Directory that the task reads, as the caller names it; empty if it reads none. */
  default Optional<Path> input() {
    return Optional.empty();
  }

  /** The same task for a process that has a copy of the input elsewhere. */
  default Task<R> withInput(Path copy) {
    return this;
  }

  /**
   * The part of this task that many others have in common, which is sent to a process once; null if
   * there is none.
   */
  default @Nullable Serializable common() {
    return null;
  }

  /** The same task with another common part, or without: small to send. */
  default Task<R> withCommon(@Nullable Serializable common) {
    return this;
  }

  /**
   * Does the work. Ends early with any exception when its thread is interrupted.
   *
   * @param attempt empty directory of this attempt
   */
  R run(Path attempt) throws Exception;
}
