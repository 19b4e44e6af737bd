package io.quantail.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A few threads that run tensor work side by side.
 *
 * <p>The tasks, not the threads, decide the results: callers cut work into a fixed number of tasks
 * and combine the answers in task order, so one thread and many give the same bits.
 */
public final class Workers implements AutoCloseable {
  private final ExecutorService threads;

  /** Starts {@code count} daemon threads, or as many as there are cores when 0. */
  public Workers(int count) {
    int size = count == 0 ? Runtime.getRuntime().availableProcessors() : count;
    threads =
        Executors.newFixedThreadPool(
            size,
            task -> {
              Thread thread = new Thread(() -> runWithOneNativeThread(task), "quantail-worker");
              thread.setDaemon(true);
              return thread;
            });
  }

  private static void runWithOneNativeThread(Runnable task) {
    // OpenMP counts threads per calling thread, so each worker has to say it again.
    Torch.useOneThread();
    task.run();
  }

  /** Runs all tasks and returns their results in the order of the tasks. */
  public <T> List<T> run(List<Callable<T>> tasks) {
    try {
      List<T> results = new ArrayList<>(tasks.size());
      for (Future<T> future : threads.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failure.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the workers", interrupted);
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
