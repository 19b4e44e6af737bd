package io.quantail.cluster;

import io.quantail.cluster.FileExchange.Stored;
import io.quantail.io.AtomicFiles;
import io.quantail.study.task.Task;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a task on an executor. It works on the local disk and puts its output into the
 * exchange when it is done. All attempts but the last throw their failure, so that Spark tries
 * again, on another executor if possible; the last returns it, so that its message is the same as
 * in a single process.
 *
 * @param exchanges for the files of the tasks, sent to an executor once
 * @param common what the task has in common with others, sent to an executor once; null if nothing
 * @param input directory of the task's input in the exchange; null if it has none
 * @param limit number of attempts of the task
 */
record TaskAttempt<R extends Serializable>(
    Broadcast<FileExchange> exchanges,
    @Nullable Broadcast<Serializable> common,
    @Nullable Stored input,
    int limit)
    implements Function<Task<R>, AttemptResult<R>> {

  @Override
  public AttemptResult<R> call(Task<R> sent) throws IOException {
    Task<R> task = common == null ? sent : sent.withCommon(common.value());
    FileExchange exchange = exchanges.value();
    int number = TaskContext.get().attemptNumber() + 1;
    if (!exchange.isSeen()) {
      return AttemptResult.blind(InetAddress.getLocalHost().getHostName(), number);
    }
    Path desk = Files.createTempDirectory(scratch(), "quantail-");
    try {
      R value = withInput(task, desk).run(Files.createDirectory(desk.resolve("attempt")));
      if (value == null) {
        return failed("returned nothing", null, number);
      }
      String output =
          String.format(
              Locale.ROOT, "%s/attempt-%d", task.name(), TaskContext.get().taskAttemptId());
      return AttemptResult.done(value, exchange.put(desk.resolve("attempt"), output), number);
    } catch (Throwable thrown) {
      if (Thread.currentThread().isInterrupted() || TaskContext.get().isInterrupted()) {
        throw new CancellationException(task.name() + " was interrupted");
      }
      return failed(thrown.toString(), thrown, number);
    } finally {
      AtomicFiles.deleteDirectory(desk);
    }
  }

  /** The scratch directory of the cluster, which is cleaned up after lost executors. */
  private static Path scratch() {
    String places =
        Stream.of("SPARK_EXECUTOR_DIRS", "SPARK_LOCAL_DIRS") // standalone, Kubernetes
            .map(System::getenv)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseGet(() -> System.getProperty("java.io.tmpdir"));
    return Path.of(places.split("[," + File.pathSeparator + "]")[0]);
  }

  private Task<R> withInput(Task<R> task, Path desk) throws IOException {
    if (input == null) {
      return task;
    }
    Path copy = Files.createDirectory(desk.resolve("input"));
    exchanges.value().get(input, copy);
    return task.withInput(copy);
  }

  /** Rethrows errors of the virtual machine: they end the executor, and Spark starts a new one. */
  private AttemptResult<R> failed(String failure, @Nullable Throwable thrown, int number) {
    if (number >= limit) {
      return AttemptResult.failed(failure, number);
    }
    if (thrown instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    throw new IllegalStateException(failure, thrown);
  }
}
