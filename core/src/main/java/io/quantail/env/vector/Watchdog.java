package io.quantail.env.vector;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Carries out tasks in threads that can be left behind: one that hangs past the deadline keeps its
 * thread and its environment, the remaining tasks go on in another thread.
 *
 * <p>Java cannot stop a thread that does not want to, so whoever must not wait cannot run foreign
 * code itself. A thread is handed a whole list of tasks: the price is one hand-over for all
 * environments of a lane, not one for each. Any number of threads may call {@link #run}. {@code
 * WatchdogTest} pins it.
 */
final class Watchdog implements StepRunner {
  private final long deadlineNanos;
  private final Queue<Runner> idle = new ConcurrentLinkedQueue<>();

  Watchdog(double deadlineSeconds) {
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

  /** Waits for a job and returns the task to go on with: the one after the end or after a hang. */
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

  /** Idle threads end; those left behind end as soon as their environment returns. */
  @Override
  public void close() {
    for (Runner runner = idle.poll(); runner != null; runner = idle.poll()) {
      runner.submit(Job.LAST);
    }
  }

  /** A list of tasks and how far it is; who moves the position owns the task it stood at. */
  private static final class Job {
    static final Job LAST = new Job(List.of(), 0, null);
    private static final int REVOKED = -1;

    private final List<? extends Task> tasks;
    private final Thread waiting;
    private final AtomicInteger position;
    private volatile long startedNanos = System.nanoTime();
    private volatile Throwable failure;
    private int revokedAt = -1; // only the waiting thread writes and reads it

    Job(List<? extends Task> tasks, int first, Thread waiting) {
      this.tasks = tasks;
      this.waiting = waiting;
      position = new AtomicInteger(first);
    }

    /** Whether all tasks came to their end; false when it was taken away meanwhile. */
    boolean work() {
      for (int task = position.get(); task < tasks.size(); task++) {
        try {
          tasks.get(task).run();
        } catch (Throwable defect) {
          failure = defect; // belongs to the thread that waits, like an exception of its own
        }
        // Before the position moves: who sees the new position never sees the old time.
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

    /** Takes a task away; false if it came to its end at the last moment. */
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
    private volatile Job next;

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
