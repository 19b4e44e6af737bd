package io.quantail.study.task;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Result of a task: a value or a failure.
 *
 * @param name of the task
 * @param value returned by the task; null if it failed
 * @param failure message of the last attempt; null if the task succeeded
 * @param directory of the attempt that succeeded, on this machine; null if the task failed
 * @param attempts number of attempts, at least 1
 * @param <R> type of the value
 */
public record TaskResult<R>(
    String name,
    @Nullable R value,
    @Nullable String failure,
    @Nullable Path directory,
    int attempts) {
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
          String.format(Locale.ROOT, "task %s was tried at least once, was %d", name, attempts));
    }
  }

  /** Result of a task that succeeded. */
  public static <R> TaskResult<R> done(String name, R value, Path directory, int attempts) {
    return new TaskResult<>(name, Objects.requireNonNull(value, name), null, directory, attempts);
  }

  /** Result of a task whose attempts all failed. */
  public static <R> TaskResult<R> failed(String name, String failure, int attempts) {
    return new TaskResult<>(name, null, Objects.requireNonNull(failure, name), null, attempts);
  }

  /** Whether there is a value. */
  public boolean succeeded() {
    return failure == null;
  }
}
