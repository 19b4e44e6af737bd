package io.quantail.task;

import java.util.Objects;

/**
 * What became of a task.
 *
 * @param name the task's
 * @param value what it returned; null exactly when it failed
 * @param failure what the last attempt said when it failed; null exactly when there is a value
 * @param attempts how often it was tried, at least 1
 * @param <R> what the task returns
 */
public record TaskResult<R>(String name, R value, String failure, int attempts) {
  public TaskResult {
    Objects.requireNonNull(name, "name");
    if ((value == null) == (failure == null)) {
      throw new IllegalArgumentException(
          "task %s has either a value or a failure, was %s and %s".formatted(name, value, failure));
    }
    if (attempts < 1) {
      throw new IllegalArgumentException(
          "task %s was tried at least once, was %d".formatted(name, attempts));
    }
  }

  public static <R> TaskResult<R> done(String name, R value, int attempts) {
    return new TaskResult<>(name, Objects.requireNonNull(value, name), null, attempts);
  }

  public static <R> TaskResult<R> failed(String name, String failure, int attempts) {
    return new TaskResult<>(name, null, Objects.requireNonNull(failure, name), attempts);
  }

  public boolean succeeded() {
    return failure == null;
  }
}
