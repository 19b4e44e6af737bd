package io.quantail.cluster;

import io.quantail.study.task.AttemptDirectory;
import io.quantail.study.task.ClusterException;
import io.quantail.study.task.Task;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * Runs tasks on the executors of a Spark cluster. Each task is a Spark job of its own, so that its
 * failure does not affect others. Spark replaces lost executors and repeats only their tasks.
 *
 * <p>Files are exchanged through a directory that driver and executors share. The output of an
 * attempt is fetched when it is done; the caller decides what to keep of it.
 */
public final class SparkTaskRunner implements TaskRunner {
  static final String SHARE =
      "driver and executors must share a directory under the same name: put that of the run on a"
          + " file system that all of them mount and give it with --run, or give another one with"
          + " --shared, such as hdfs://HOST/PATH";

  /** Runs callbacks in the thread that completes the job. */
  private static final ExecutionContext AT_ONCE = ExecutionContext.fromExecutor(Runnable::run);

  /** How long to wait, after Spark has stopped, for the interrupt of a Ctrl-C. */
  private static final int STOP_MILLIS = 2000;

  private final JavaSparkContext spark;
  private final SharedDirectory shared;
  private final Path directory;
  private final int attempts;

  /** A completed job: the result of an attempt, or the failure of the job itself. */
  private record Ended<R extends Serializable>(String name, Try<Seq<AttemptResult<R>>> outcome) {}

  /**
   * A runner on a started Spark.
   *
   * @param spark closed by {@link #close}
   * @param shared directory of driver and executors; removed by {@link #close}
   * @param directory for the directories of attempts
   * @param attempts number of attempts of a task; the same as {@code spark.task.maxFailures}
   */
  SparkTaskRunner(JavaSparkContext spark, SharedDirectory shared, Path directory, int attempts) {
    this.spark = spark;
    this.shared = shared;
    this.directory = directory;
    this.attempts = attempts;
  }

  @Override
  public <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone) {
    TaskRunner.requireNames(tasks);
    return run(tasks, whenDone, shared.exchange());
  }

  /**
   * Runs tasks.
   *
   * @param exchange for the files of the tasks
   */
  <R extends Serializable> List<TaskResult<R>> run(
      List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone, FileExchange exchange) {
    BlockingQueue<Ended<R>> ended = new LinkedBlockingQueue<>();
    List<FutureAction<?>> jobs = new ArrayList<>(tasks.size());
    Map<String, TaskResult<R>> results = new HashMap<>();
    try {
      Map<Path, String> inputs = putInputs(tasks, exchange);
      for (Task<R> task : tasks) {
        String input = task.input().map(inputs::get).orElse(null);
        jobs.add(submit(task, new TaskAttempt<>(exchange, input, attempts), ended));
      }
      while (results.size() < tasks.size()) {
        TaskResult<R> result = result(ended.take(), exchange);
        results.put(result.name(), result);
        whenDone.accept(result);
      }
    } catch (InterruptedException interrupted) {
      throw InterruptHandling.cancelled();
    } finally {
      jobs.forEach(FutureAction::cancel);
      exchange.remove();
    }
    return tasks.stream().map(task -> results.get(task.name())).toList();
  }

  /** Writes each input once, even if several tasks read it. */
  private Map<Path, String> putInputs(List<? extends Task<?>> tasks, FileExchange exchange) {
    Map<Path, String> names = new HashMap<>();
    try {
      for (Task<?> task : tasks) {
        Path input = task.input().orElse(null);
        if (input != null && !names.containsKey(input)) {
          String name = "input-" + names.size();
          exchange.put(input, name);
          names.put(input, name);
        }
      }
      exchange.mark();
      return names;
    } catch (IOException failure) {
      throw new ClusterException(
          "cannot write to %s (%s); %s".formatted(shared, failure, SHARE), failure);
    }
  }

  private <R extends Serializable> FutureAction<?> submit(
      Task<R> task, TaskAttempt<R> attempt, BlockingQueue<Ended<R>> ended) {
    requireRunning();
    spark.setJobGroup(task.name(), task.name(), true); // cancelling interrupts
    JavaRDD<AttemptResult<R>> work = spark.parallelize(List.of(task), 1).map(attempt);
    FutureAction<Seq<AttemptResult<R>>> job =
        new AsyncRDDActions<>(work.rdd(), work.classTag()).collectAsync();
    job.onComplete(outcome -> ended.add(new Ended<>(task.name(), outcome)), AT_ONCE);
    return job;
  }

  private <R extends Serializable> TaskResult<R> result(Ended<R> ended, FileExchange exchange) {
    if (ended.outcome().isFailure()) {
      requireRunning();
      String reason =
          Objects.requireNonNull(ended.outcome().failed().get().getMessage())
              .lines()
              .findFirst()
              .orElse("");
      return TaskResult.failed(ended.name(), reason, attempts);
    }
    AttemptResult<R> attempted = ended.outcome().get().head();
    if (attempted.blind() != null) {
      throw new ClusterException(
          "the executor on %s does not see %s; %s".formatted(attempted.blind(), shared, SHARE));
    }
    return attempted.failure() == null
        ? TaskResult.done(
            ended.name(),
            Objects.requireNonNull(attempted.value()),
            fetch(ended.name(), Objects.requireNonNull(attempted.output()), exchange),
            attempted.attempts())
        : TaskResult.failed(ended.name(), attempted.failure(), attempted.attempts());
  }

  private Path fetch(String task, String output, FileExchange exchange) {
    try {
      Path place = AttemptDirectory.create(directory, task);
      exchange.get(output, place);
      return place;
    } catch (IOException failure) {
      throw new ClusterException(
          "cannot fetch the output of %s from %s (%s); finished tasks are kept, repeat the"
                  .formatted(task, shared, failure)
              + " command to resume",
          failure);
    }
  }

  /** On Ctrl-C Spark stops by itself, possibly before this thread is interrupted. */
  private void requireRunning() {
    if (spark.sc().isStopped()) {
      InterruptHandling.sleep(STOP_MILLIS);
      throw new ClusterException(
          "Spark has stopped: the master is gone, or it has ended the application; finished tasks are"
              + " kept, repeat the command to resume");
    }
  }

  @Override
  public void close() {
    InterruptHandling.undisturbed(
        () -> {
          shared.remove();
          spark.close();
        });
  }
}
