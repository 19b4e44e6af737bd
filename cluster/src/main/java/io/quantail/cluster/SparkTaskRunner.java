package io.quantail.cluster;

import io.quantail.task.ClusterException;
import io.quantail.task.Task;
import io.quantail.task.TaskResult;
import io.quantail.task.TaskRunner;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.spark.FutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.AsyncRDDActions;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.util.Try;

/**
 * Runs tasks on the executors of a Spark cluster. Each task is a job of its own with one Spark
 * task, so that one that fails for good takes no other with it; an executor that is lost is
 * replaced by Spark and only what it was doing is done again.
 *
 * <p>Executors write below a directory that driver and executors share; what of it counts is
 * decided by whoever called.
 */
public final class SparkTaskRunner implements TaskRunner {
  static final String SHARE =
      "driver and executors must share the directory of the run under the same name: put it on a"
          + " file system that all of them mount and give it with --run";

  /** Runs what is due in the thread that brings it. */
  private static final ExecutionContext AT_ONCE = ExecutionContext.fromExecutor(Runnable::run);

  /** After Spark was stopped: how long to wait for the interrupt that says it was on purpose. */
  private static final int STOP_MILLIS = 2000;

  private final JavaSparkContext spark;
  private final Path directory;
  private final int attempts;

  /** What came of a job: an answer, or the failure of the job itself. */
  private record Ended<R extends Serializable>(String name, Try<Seq<Attempted<R>>> outcome) {}

  /**
   * @param spark closed by {@link #close}
   * @param directory where attempts get their directories, absolute and seen by all
   * @param attempts how often a task is tried; the same as {@code spark.task.maxFailures}
   */
  SparkTaskRunner(JavaSparkContext spark, Path directory, int attempts) {
    this.spark = spark;
    this.directory = directory;
    this.attempts = attempts;
  }

  @Override
  public <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone) {
    TaskRunner.requireNames(tasks);
    return run(tasks, whenDone, Visibility.mark(directory));
  }

  /**
   * @param shared how executors know the directory
   */
  <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone, Visibility shared) {
    BlockingQueue<Ended<R>> ended = new LinkedBlockingQueue<>();
    List<FutureAction<?>> jobs = new ArrayList<>(tasks.size());
    Map<String, TaskResult<R>> results = new HashMap<>();
    try {
      for (Task<R> task : tasks) {
        jobs.add(submit(task, new Attempt<>(shared, attempts), ended));
      }
      while (results.size() < tasks.size()) {
        TaskResult<R> result = result(ended.take());
        results.put(result.name(), result);
        whenDone.accept(result);
      }
    } catch (InterruptedException interrupted) {
      throw Interrupts.cancelled();
    } finally {
      jobs.forEach(FutureAction::cancel);
      shared.remove();
    }
    return tasks.stream().map(task -> results.get(task.name())).toList();
  }

  private <R extends Serializable> FutureAction<?> submit(
      Task<R> task, Attempt<R> attempt, BlockingQueue<Ended<R>> ended) {
    requireRunning();
    spark.setJobGroup(task.name(), task.name(), true); // cancelling interrupts
    JavaRDD<Attempted<R>> work = spark.parallelize(List.of(task), 1).map(attempt);
    FutureAction<Seq<Attempted<R>>> job =
        new AsyncRDDActions<>(work.rdd(), work.classTag()).collectAsync();
    job.onComplete(outcome -> ended.add(new Ended<>(task.name(), outcome)), AT_ONCE);
    return job;
  }

  private <R extends Serializable> TaskResult<R> result(Ended<R> ended) {
    if (ended.outcome().isFailure()) {
      requireRunning();
      String reason = ended.outcome().failed().get().getMessage().lines().findFirst().orElse("");
      return TaskResult.failed(ended.name(), reason, attempts);
    }
    Attempted<R> attempted = ended.outcome().get().head();
    if (attempted.blind() != null) {
      throw new ClusterException(
          "the executor on %s does not see %s; %s".formatted(attempted.blind(), directory, SHARE));
    }
    return new TaskResult<>(
        ended.name(), attempted.value(), attempted.failure(), attempted.attempts());
  }

  /** On Ctrl-C Spark stops by itself, perhaps before we are told. */
  private void requireRunning() {
    if (spark.sc().isStopped()) {
      Interrupts.sleep(STOP_MILLIS);
      throw new ClusterException(
          "Spark has stopped: the master is gone, or it has ended the application; what was done is"
              + " kept, repeat the command to go on");
    }
  }

  @Override
  public void close() {
    spark.close();
  }
}
