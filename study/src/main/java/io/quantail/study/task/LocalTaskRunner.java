package io.quantail.study.task;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs tasks in threads of this process. {@link AttemptDirectory} creates their directories.
 * Interrupting {@link #run} closes the runner.
 */
public final class LocalTaskRunner implements TaskRunner {
  private static final int PATIENCE_SECONDS = 60;

  private final Path directory;
  private final int attempts;
  private final ExecutorService threads;

  /**
   * @param parallel number of tasks that run at a time
   * @param directory of all attempts
   * @param attempts before a task counts as failed
   */
  public LocalTaskRunner(int parallel, Path directory, int attempts) {
    this.directory = directory;
    this.attempts = requirePositive("attempts", attempts);
    this.threads =
        Executors.newFixedThreadPool(
            requirePositive("parallel", parallel),
            work -> {
              Thread thread = new Thread(work, "task");
              thread.setDaemon(true);
              return thread;
            });
  }

  private static int requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be at least 1, was %d", name, value));
    }
    return value;
  }

  @Override
  public <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone) {
    TaskRunner.requireNames(tasks);
    CompletionService<TaskResult<R>> service = new ExecutorCompletionService<>(threads);
    List<Future<TaskResult<R>>> futures = new ArrayList<>(tasks.size());
    tasks.forEach(task -> futures.add(service.submit(() -> attempt(task))));
    Map<String, TaskResult<R>> results = new HashMap<>();
    try {
      while (results.size() < tasks.size()) {
        TaskResult<R> result = service.take().get();
        results.put(result.name(), result);
        whenDone.accept(result);
      }
    } catch (InterruptedException interrupted) {
      close();
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } catch (ExecutionException cancelled) {
      throw new CancellationException(Objects.requireNonNull(cancelled.getCause()).getMessage());
    } finally {
      futures.forEach(future -> future.cancel(true));
    }
    return tasks.stream().map(task -> results.get(task.name())).toList();
  }

  private <R extends Serializable> TaskResult<R> attempt(Task<R> task) {
    String failure = null;
    for (int tried = 1; tried <= attempts; tried++) {
      try {
        Path attempt = AttemptDirectory.create(directory, task.name());
        R value = task.run(attempt);
        if (value != null) {
          return TaskResult.done(task.name(), value, attempt, tried);
        }
        failure = "returned nothing";
      } catch (Throwable thrown) {
        if (threads.isShutdown() || Thread.currentThread().isInterrupted()) {
          throw new CancellationException(task.name() + " was interrupted");
        }
        failure = thrown.toString();
      }
    }
    return TaskResult.failed(task.name(), Objects.requireNonNull(failure), attempts);
  }

  /** Interrupts running tasks and waits up to a minute for their end. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException again) {
      Thread.currentThread().interrupt();
    }
  }
}
