package io.quantail.cluster;

import io.quantail.cluster.FileExchange.Stored;
import io.quantail.study.task.AttemptDirectory;
import io.quantail.study.task.ClusterException;
import io.quantail.study.task.Task;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskWindow;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.FutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.AsyncRDDActions;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.reflect.ClassTag;
import scala.util.Try;

/**
 * The tasks of a source that are under way on Spark: two for each executor, so that none waits for
 * the driver. Outputs are fetched side by side. What all tasks need is sent to an executor once.
 */
final class SparkJobs<R extends Serializable> implements TaskWindow.Place<R>, AutoCloseable {
  /** Runs callbacks in the thread that completes the job. */
  private static final ExecutionContext AT_ONCE = ExecutionContext.fromExecutor(Runnable::run);

  /** How long to wait, after Spark has stopped, for the interrupt of a Ctrl-C. */
  private static final int STOP_MILLIS = 2000;

  private static final int PER_EXECUTOR = 2;
  private static final int FETCHES = 4;
  private static final int PAUSE_MILLIS = 500;

  private final JavaSparkContext spark;
  private final SharedDirectory shared;
  private final Path directory;
  private final int attempts;
  private final FileExchange exchange;
  private final Broadcast<FileExchange> exchanges;
  private final Map<Serializable, Broadcast<Serializable>> common = new HashMap<>();
  private final Map<String, Started> started = new HashMap<>();
  private final Map<Path, Input> inputs = new HashMap<>();
  private final ExecutorService fetchers;
  private final CompletionService<Ended<R>> ended;
  private int inputsWritten;

  /** A job that has started, and the input it reads. */
  private record Started(FutureAction<?> job, @Nullable Path input) {}

  /** An input in the exchange, and how many tasks under way read it. */
  private record Input(Stored stored, int readers) {}

  /**
   * A completed job.
   *
   * @param outcome result of an attempt, or the failure of the job itself
   * @param fetched local directory with the output of the attempt; null if there is none
   */
  private record Ended<R extends Serializable>(
      String name, Try<Seq<AttemptResult<R>>> outcome, @Nullable Path fetched) {}

  SparkJobs(JavaSparkContext spark, SharedDirectory shared, Path directory, int attempts) {
    this.spark = spark;
    this.shared = shared;
    this.directory = directory;
    this.attempts = attempts;
    this.exchange = shared.exchange();
    try {
      exchange.mark();
    } catch (IOException failure) {
      throw cannotWrite(failure);
    }
    this.exchanges = spark.broadcast(exchange);
    this.fetchers =
        Executors.newFixedThreadPool(
            FETCHES,
            work -> {
              Thread thread = new Thread(work, "fetch");
              thread.setDaemon(true);
              return thread;
            });
    this.ended = new ExecutorCompletionService<>(fetchers);
  }

  /** The status of Spark's memory includes the driver. */
  @Override
  public int width() {
    requireRunning();
    try {
      return Math.max(1, spark.sc().getExecutorMemoryStatus().size() - 1) * PER_EXECUTOR;
    } catch (IllegalStateException stopped) {
      requireRunning();
      throw stopped;
    }
  }

  @Override
  public void start(Task<R> task) {
    requireRunning();
    Path input = task.input().orElse(null);
    TaskAttempt<R> attempt =
        new TaskAttempt<>(exchanges, broadcast(task.common()), stored(input), attempts);
    spark.setJobGroup(task.name(), task.name(), true); // cancelling interrupts
    JavaRDD<AttemptResult<R>> work =
        spark.parallelize(List.of(task.withCommon(null)), 1).map(attempt);
    FutureAction<Seq<AttemptResult<R>>> job =
        new AsyncRDDActions<>(work.rdd(), work.classTag()).collectAsync();
    started.put(task.name(), new Started(job, input));
    job.onComplete(outcome -> fetch(task.name(), outcome), AT_ONCE);
  }

  private @Nullable Broadcast<Serializable> broadcast(@Nullable Serializable part) {
    return part == null
        ? null
        : common.computeIfAbsent(
            part, value -> spark.sc().broadcast(value, ClassTag.apply(Serializable.class)));
  }

  /** Writes an input once for all tasks under way that read it. */
  private @Nullable Stored stored(@Nullable Path input) {
    if (input == null) {
      return null;
    }
    Input known = inputs.get(input);
    try {
      Stored stored =
          known == null ? exchange.put(input, "input-" + inputsWritten++) : known.stored();
      inputs.put(input, new Input(stored, known == null ? 1 : known.readers() + 1));
      return stored;
    } catch (IOException failure) {
      throw cannotWrite(failure);
    }
  }

  private ClusterException cannotWrite(IOException failure) {
    return new ClusterException(
        "cannot write to %s (%s); %s".formatted(shared, failure, SparkTaskRunner.SHARE), failure);
  }

  /** Returns whether somebody still waits for the result. */
  private boolean fetch(String task, Try<Seq<AttemptResult<R>>> outcome) {
    try {
      ended.submit(() -> new Ended<>(task, outcome, fetched(task, outcome)));
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    }
  }

  private @Nullable Path fetched(String task, Try<Seq<AttemptResult<R>>> outcome) {
    Stored output = outcome.isFailure() ? null : outcome.get().head().output();
    if (output == null) {
      return null;
    }
    try {
      Path place = AttemptDirectory.create(directory, task);
      exchange.get(output, place);
      exchange.remove(task);
      return place;
    } catch (IOException failure) {
      throw new ClusterException(
          "cannot fetch the output of %s from %s (%s); finished tasks are kept, repeat the"
                  .formatted(task, shared, failure)
              + " command to resume",
          failure);
    }
  }

  @Override
  public @Nullable TaskResult<R> await() throws InterruptedException {
    Future<Ended<R>> next = ended.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    if (next == null) {
      requireRunning();
      return null;
    }
    try {
      Ended<R> one = next.get();
      forget(Objects.requireNonNull(started.remove(one.name())));
      return result(one);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  /** Deletes the input of a task that has ended if no other task under way reads it. */
  private void forget(Started one) {
    Input input = one.input() == null ? null : inputs.remove(one.input());
    if (input == null) {
      return;
    }
    if (input.readers() > 1) {
      inputs.put(one.input(), new Input(input.stored(), input.readers() - 1));
    } else {
      exchange.remove(input.stored().name());
    }
  }

  private TaskResult<R> result(Ended<R> one) {
    if (one.outcome().isFailure()) {
      requireRunning();
      String reason =
          Objects.requireNonNull(one.outcome().failed().get().getMessage())
              .lines()
              .findFirst()
              .orElse("");
      return TaskResult.failed(one.name(), reason, attempts);
    }
    AttemptResult<R> attempted = one.outcome().get().head();
    if (attempted.blind() != null) {
      throw new ClusterException(
          "the executor on %s does not see %s; %s"
              .formatted(attempted.blind(), shared, SparkTaskRunner.SHARE));
    }
    return attempted.failure() == null
        ? TaskResult.done(
            one.name(),
            Objects.requireNonNull(attempted.value()),
            Objects.requireNonNull(one.fetched()),
            attempted.attempts())
        : TaskResult.failed(one.name(), attempted.failure(), attempted.attempts());
  }

  /** On Ctrl-C Spark stops by itself, possibly before this thread is interrupted. */
  private void requireRunning() {
    if (spark.sc().isStopped()) {
      InterruptHandling.sleep(STOP_MILLIS);
      throw new ClusterException(
          "Spark has stopped: the master is gone, or it has ended the application; finished tasks"
              + " are kept, repeat the command to resume");
    }
  }

  /** Cancels what is under way and deletes the files of the exchange. */
  @Override
  public void close() {
    fetchers.shutdownNow();
    started.values().forEach(one -> one.job().cancel());
    exchange.remove();
    if (!spark.sc().isStopped()) {
      exchanges.destroy();
      common.values().forEach(Broadcast::destroy);
    }
  }
}
