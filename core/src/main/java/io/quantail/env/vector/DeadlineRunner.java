package io.quantail.env.vector;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks in threads that can be abandoned: a task that exceeds the deadline keeps its thread
 * and its environment, and the remaining tasks continue in another thread.
 *
 * <p>Java cannot stop a thread, so a user's code that may hang must not run in the calling thread.
 * A thread gets a whole list of tasks, so that a group of environments needs one switch of threads.
 * Several threads may call {@link #run} at once. {@code DeadlineRunnerTest} pins it.
 */
final class DeadlineRunner implements CallRunner {
  private final long deadlineNanos;
  private final Queue<Runner> idle = new ConcurrentLinkedQueue<>();

  DeadlineRunner(double deadlineSeconds) {
    deadlineNanos = Math.max(1, (long) (deadlineSeconds * TimeUnit.SECONDS.toNanos(1)));
  }

  @Override
  public void run(List<? extends Task> tasks) {
    int next = 0;
    while (next < tasks.size()) {
      Runner waiting = idle.poll();
      Runner runner = waiting != null ? waiting : Runner.started();
      Job job = new Job(tasks, next, Thread.currentThread());
      runner.submit(job);
      next = await(job);
      job.rethrow();
      if (next == tasks.size() && !job.revoked()) {
        idle.add(runner);
      }
    }
  }

  /** Waits for a job; returns the task to continue with: after the last one or after a hang. */
  private int await(Job job) {
    boolean interrupted = false;
    int task = job.task();
    while (task < job.tasks.size()) {
      long left = deadlineNanos - (System.nanoTime() - job.startedNanos);
      if (left > 0) {
        LockSupport.parkNanos(this, left);
        interrupted |= Thread.interrupted();
      } else if (job.revoke(task)) {
        break;
      }
      task = job.task();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return job.following();
  }

  /** Ends idle threads; abandoned threads end as soon as their environment returns. */
  @Override
  public void close() {
    for (Runner runner = idle.poll(); runner != null; runner = idle.poll()) {
      runner.submit(Job.LAST);
    }
  }

  /** A list of tasks and a position; the thread that advances the position owns the task there. */
  private static final class Job {
    static final Job LAST = new Job(List.of(), 0, null);
    private static final int REVOKED = -1;

    private final List<? extends Task> tasks;
    private final @Nullable Thread waiting;
    private final AtomicInteger position;
    private volatile long startedNanos = System.nanoTime();
    private volatile @Nullable Throwable failure;
    private int revokedAt = -1; // only the waiting thread writes and reads it

    Job(List<? extends Task> tasks, int first, @Nullable Thread waiting) {
      this.tasks = tasks;
      this.waiting = waiting;
      position = new AtomicInteger(first);
    }

    /** Runs the tasks; false if one of them was revoked meanwhile. */
    boolean work() {
      for (int task = position.get(); task < tasks.size(); task++) {
        try {
          tasks.get(task).run();
        } catch (Throwable defect) {
          failure = defect; // rethrown in the waiting thread
        }
        // Before the position advances, so that a new position is never read with an old time.
        startedNanos = System.nanoTime();
        if (!position.compareAndSet(task, task + 1)) {
          return false;
        }
      }
      LockSupport.unpark(waiting);
      return true;
    }

    int task() {
      return position.get();
    }

    /** Revokes a task; false if it has just finished. */
    boolean revoke(int task) {
      if (!position.compareAndSet(task, REVOKED)) {
        return false;
      }
      tasks.get(task).abandon();
      revokedAt = task;
      return true;
    }

    void rethrow() {
      if (failure instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (failure instanceof Error error) {
        throw error;
      }
    }

    boolean revoked() {
      return revokedAt >= 0;
    }

    int following() {
      return revoked() ? revokedAt + 1 : tasks.size();
    }
  }

  private static final class Runner implements Runnable {
    private final Thread thread = new Thread(this, "quantail-environments");
    private volatile @Nullable Job next;

    static Runner started() {
      Runner runner = new Runner();
      runner.thread.setDaemon(true);
      runner.thread.start();
      return runner;
    }

    void submit(Job job) {
      next = job;
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      boolean wanted = true;
      while (wanted) {
        Job job = next;
        if (job == null) {
          LockSupport.park(this);
        } else {
          next = null;
          wanted = job != Job.LAST && job.work();
        }
      }
    }
  }
}
