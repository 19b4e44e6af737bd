package io.quantail.parallel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A fixed set of threads: the calling thread and helpers.
 *
 * <p>Results do not depend on the number of threads: callers split work into a fixed number of
 * tasks and combine the results in task order, so one thread and many give the same bits.
 *
 * <p>A task may split its own loops into parts ({@link #each}). Idle threads run some of them, so
 * that a temporarily slow core delays the others little.
 *
 * <p>An update submits work every few milliseconds, and waking a sleeping thread takes a tenth of a
 * millisecond or more. An idle thread therefore polls for a moment before it sleeps. After the
 * first instant it offers its core while it polls: where other processes want the cores, the thread
 * that it waits for may be the one that has none.
 */
public final class WorkerPool implements AutoCloseable, ParallelLoop {
  private static final long SPIN_NANOS = 20_000;
  private static final long LOOK_NANOS = 500_000;

  private final List<Thread> helpers = new ArrayList<>();
  private final AtomicReferenceArray<Round>
      loops; // loops of tasks that idle threads may join; null for none
  private volatile @Nullable Round round; // the current tasks; null for none
  private volatile boolean closed;

  /** Creates a pool of {@code count} threads, or of one per core if 0. */
  public WorkerPool(int count) {
    int size = count == 0 ? Runtime.getRuntime().availableProcessors() : count;
    loops = new AtomicReferenceArray<>(size);
    for (int i = 1; i < size; i++) {
      Thread helper = new Thread(this::help, "quantail-worker");
      helper.setDaemon(true);
      helper.start();
      helpers.add(helper);
    }
  }

  /**
   * Runs all tasks and returns their results in the order of the tasks; one caller at a time. If
   * tasks fail, the failure of the first of them is thrown after all have ended.
   */
  public <T> List<T> run(List<Callable<T>> tasks) {
    List<T> results = new ArrayList<>(Collections.nCopies(tasks.size(), null));
    Round now = new Round(tasks.size(), task -> results.set(task, tasks.get(task).call()));
    if (tasks.size() > 1) {
      round = now;
      helpers.forEach(LockSupport::unpark);
    }
    now.workOnAll();
    await(now, this::helpWithLoop);
    round = null;
    now.throwFailure();
    return results;
  }

  /** Runs two tasks in parallel and returns the result of the first. */
  public <T> T run(Callable<T> first, Runnable second) {
    Callable<T> withoutResult =
        () -> {
          second.run();
          return null;
        };
    return run(List.of(first, withoutResult)).get(0);
  }

  /** Runs a loop of a task together with idle threads. */
  @Override
  public void each(int parts, IntConsumer part) {
    if (helpers.isEmpty()) {
      ALONE.each(parts, part);
      return;
    }
    Round loop = new Round(parts, part::accept);
    int place = 0;
    while (place < loops.length() && !loops.compareAndSet(place, null, loop)) {
      place++;
    }
    loop.workOnAll();
    if (place < loops.length()) {
      loops.set(place, null);
    }
    await(loop, () -> false);
    loop.throwFailure();
  }

  private void help() {
    long idleSince = System.nanoTime();
    while (!closed) {
      Round now = round;
      if ((now != null && now.workOnNext()) || helpWithLoop()) {
        idleSince = System.nanoTime();
      } else if (pause(idleSince)) {
        idleSince = System.nanoTime();
      }
    }
  }

  /** Polls, or sleeps until it is woken; whether it has slept. */
  @SuppressWarnings("ThreadPriorityCheck") // yielding changes how fast results come, never results
  private boolean pause(long idleSince) {
    long idle = System.nanoTime() - idleSince;
    if (idle < SPIN_NANOS) {
      Thread.onSpinWait();
    } else if (idle < LOOK_NANOS) {
      Thread.yield();
    } else {
      LockSupport.park(this);
      return true;
    }
    return false;
  }

  private boolean helpWithLoop() {
    for (int place = 0; place < loops.length(); place++) {
      Round loop = loops.get(place);
      if (loop != null && loop.workOnNext()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Waits uninterruptibly, so that rounds never overlap.
   *
   * @param work done meanwhile; false if there is none
   */
  private void await(Round now, BooleanSupplier work) {
    long idleSince = System.nanoTime();
    boolean interrupted = false;
    while (!now.ended()) {
      if (work.getAsBoolean()) {
        idleSince = System.nanoTime();
      } else if (pause(idleSince)) {
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      now.caller.interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    helpers.forEach(LockSupport::unpark);
  }

  /** One of several jobs. */
  private interface Part {
    void accept(int index) throws Exception;
  }

  /** Jobs that run once each, and the thread that waits for them. */
  private static final class Round {
    private final int count;
    private final Part part;
    private final Throwable[] failures;
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Thread caller = Thread.currentThread();

    Round(int count, Part part) {
      this.count = count;
      this.part = part;
      failures = new Throwable[count];
    }

    void workOnAll() {
      while (workOnNext()) {
        // until no job remains
      }
    }

    /** Runs a job that no thread has taken yet; false if there is none. */
    boolean workOnNext() {
      if (taken.get() >= count) {
        return false;
      }
      int index = taken.getAndIncrement();
      if (index >= count) {
        return false;
      }
      try {
        part.accept(index);
      } catch (Throwable failure) {
        failures[index] = failure;
      }
      if (done.incrementAndGet() == count) {
        LockSupport.unpark(caller);
      }
      return true;
    }

    boolean ended() {
      return done.get() == count;
    }

    void throwFailure() {
      for (Throwable failure : failures) {
        if (failure instanceof RuntimeException exception) {
          throw exception;
        } else if (failure instanceof Error error) {
          throw error;
        } else if (failure != null) {
          throw new IllegalStateException(failure);
        }
      }
    }
  }
}
