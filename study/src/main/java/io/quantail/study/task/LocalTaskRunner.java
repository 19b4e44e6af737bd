package io.quantail.study.task;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks in threads of this process. {@link AttemptDirectory} creates their directories.
 * Interrupting {@link #run} closes the runner.
 */
public final class LocalTaskRunner implements TaskRunner {
  private static final int PATIENCE_SECONDS = 60;

  private final int parallel;
  private final Path directory;
  private final int attempts;
  private final ExecutorService threads;

  /**
   * @param parallel number of tasks that run at a time
   * @param directory of all attempts
   * @param attempts before a task counts as failed
   */
  public LocalTaskRunner(int parallel, Path directory, int attempts) {
    this.parallel = requirePositive("parallel", parallel);
    this.directory = directory;
    this.attempts = requirePositive("attempts", attempts);
    this.threads =
        Executors.newFixedThreadPool(
            parallel,
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
  public <R extends Serializable> void run(TaskSource<R> source) {
    CompletionService<TaskResult<R>> service = new ExecutorCompletionService<>(threads);
    List<Future<TaskResult<R>>> started = new ArrayList<>();
    try {
      TaskWindow.run(source, place(service, started));
    } catch (InterruptedException interrupted) {
      close();
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } finally {
      started.forEach(future -> future.cancel(true));
    }
  }

  private <R extends Serializable> TaskWindow.Place<R> place(
      CompletionService<TaskResult<R>> service, List<Future<TaskResult<R>>> started) {
    return new TaskWindow.Place<>() {
      @Override
      public int width() {
        return parallel;
      }

      @Override
      public void start(Task<R> task) {
        started.add(service.submit(() -> attempt(task)));
      }

      @Override
      public TaskResult<R> await() throws InterruptedException {
        Future<TaskResult<R>> ended = service.take();
        started.removeIf(future -> future == ended);
        try {
          return ended.get();
        } catch (ExecutionException cancelled) {
          throw new CancellationException(
              Objects.requireNonNull(cancelled.getCause()).getMessage());
        }
      }
    };
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
