package io.quantail.task;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What became of a task.
 *
 * @param name the task's
 * @param value what it returned; null exactly when it failed
 * @param failure what the last attempt said when it failed; null exactly when there is a value
 * @param directory what the attempt that succeeded has written, now here; null exactly when it
 *     failed
 * @param attempts how often it was tried, at least 1
 * @param <R> what the task returns
 */
public record TaskResult<R>(String name, R value, String failure, Path directory, int attempts) {
  public TaskResult {
    Objects.requireNonNull(name, "name");
    if ((value == null) == (failure == null)) {
      throw new IllegalArgumentException(
          "task %s has either a value or a failure, was %s and %s".formatted(name, value, failure));
    }
    if ((value == null) != (directory == null)) {
      throw new IllegalArgumentException(
          "task %s has a directory when it has a value, was %s and %s"
              .formatted(name, directory, value));
    }
    if (attempts < 1) {
      throw new IllegalArgumentException(
          "task %s was tried at least once, was %d".formatted(name, attempts));
    }
  }

  public static <R> TaskResult<R> done(String name, R value, Path directory, int attempts) {
    return new TaskResult<>(name, Objects.requireNonNull(value, name), null, directory, attempts);
  }

  public static <R> TaskResult<R> failed(String name, String failure, int attempts) {
    return new TaskResult<>(name, null, Objects.requireNonNull(failure, name), null, attempts);
  }

  public boolean succeeded() {
    return failure == null;
  }
}
