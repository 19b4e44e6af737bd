package io.quantail.tensor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A few threads that work side by side: the one that calls, and helpers.
 *
 * <p>The tasks, not the threads, decide the results: callers cut work into a fixed number of tasks
 * and combine the answers in task order, so one thread and many give the same bits.
 *
 * <p>An update hands out work every few milliseconds, and waking a sleeping thread takes a tenth of
 * one or more. So a thread that has nothing to do looks around for a moment before it sleeps.
 */
public final class Workers implements AutoCloseable {
  private static final long LOOK_NANOS = 200_000;

  private final List<Thread> helpers = new ArrayList<>();
  private volatile Round<?> round; // what is to be done; null for nothing
  private volatile boolean closed;

  /** Uses {@code count} threads, or as many as there are cores when 0. */
  public Workers(int count) {
    int size = count == 0 ? Runtime.getRuntime().availableProcessors() : count;
    for (int i = 1; i < size; i++) {
      Thread helper = new Thread(this::help, "quantail-worker");
      helper.setDaemon(true);
      helper.start();
      helpers.add(helper);
    }
  }

  /**
   * Runs all tasks and returns their results in the order of the tasks; one caller at a time. When
   * tasks fail, the failure of the first of them is thrown after all have ended.
   */
  public <T> List<T> run(List<Callable<T>> tasks) {
    Round<T> now = new Round<>(tasks);
    if (tasks.size() > 1) {
      round = now;
      helpers.forEach(LockSupport::unpark);
    }
    while (now.workOnNext()) {
      // until no task is left
    }
    now.awaitOthers();
    round = null;
    return now.results();
  }

  private void help() {
    long idleSince = System.nanoTime();
    while (!closed) {
      Round<?> now = round;
      if (now != null && now.workOnNext()) {
        idleSince = System.nanoTime();
      } else if (System.nanoTime() - idleSince < LOOK_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.park(this);
        idleSince = System.nanoTime();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    helpers.forEach(LockSupport::unpark);
  }

  /** Some tasks, their results, and who waits for them. */
  private static final class Round<T> {
    private final List<Callable<T>> tasks;
    private final List<T> results;
    private final Throwable[] failures;
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Thread caller = Thread.currentThread();

    Round(List<Callable<T>> tasks) {
      this.tasks = tasks;
      results = new ArrayList<>(Collections.nCopies(tasks.size(), null));
      failures = new Throwable[tasks.size()];
    }

    /** Does a task that nobody has taken; false when there is none. */
    boolean workOnNext() {
      if (taken.get() >= tasks.size()) {
        return false;
      }
      int task = taken.getAndIncrement();
      if (task >= tasks.size()) {
        return false;
      }
      try {
        results.set(task, tasks.get(task).call());
      } catch (Throwable failure) {
        failures[task] = failure;
      }
      if (done.incrementAndGet() == tasks.size()) {
        LockSupport.unpark(caller);
      }
      return true;
    }

    /** Waits, also when interrupted: whoever comes next must not meet work that still goes on. */
    void awaitOthers() {
      long start = System.nanoTime();
      boolean interrupted = false;
      while (done.get() < tasks.size()) {
        if (System.nanoTime() - start < LOOK_NANOS) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      }
      if (interrupted) {
        caller.interrupt();
      }
    }

    List<T> results() {
      for (Throwable failure : failures) {
        if (failure instanceof RuntimeException exception) {
          throw exception;
        } else if (failure instanceof Error error) {
          throw error;
        } else if (failure != null) {
          throw new IllegalStateException(failure);
        }
      }
      return results;
    }
  }
}
