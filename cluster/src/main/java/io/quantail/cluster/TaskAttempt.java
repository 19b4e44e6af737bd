package io.quantail.cluster;

import io.quantail.io.AtomicFiles;
import io.quantail.study.task.Task;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/**
 * One attempt of a task, on an executor: it works on this machine's disk and leaves what it wrote
 * when it is done. All but the last throw what went wrong, so that Spark tries again, elsewhere if
 * it can; the last returns it, so that the failure reads as it would in a single process.
 *
 * @param exchange where files come from and go to
 * @param input name of the directory there that the task reads; null if it reads none
 * @param limit how often the task is tried
 */
record TaskAttempt<R extends Serializable>(FileExchange exchange, String input, int limit)
    implements Function<Task<R>, AttemptResult<R>> {

  @Override
  public AttemptResult<R> call(Task<R> task) throws IOException {
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
      String output = "%s/attempt-%d".formatted(task.name(), TaskContext.get().taskAttemptId());
      exchange.put(desk.resolve("attempt"), output);
      return AttemptResult.done(value, output, number);
    } catch (Throwable thrown) {
      if (Thread.currentThread().isInterrupted() || TaskContext.get().isInterrupted()) {
        throw new CancellationException(task.name() + " was interrupted");
      }
      return failed(thrown.toString(), thrown, number);
    } finally {
      AtomicFiles.deleteDirectory(desk);
    }
  }

  /** Where the cluster wants it; it cleans up there after an executor that was lost. */
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
    exchange.get(input, copy);
    return task.withInput(copy);
  }

  /** An error of the machine goes on as it is: it ends the executor, and a fresh one takes over. */
  private AttemptResult<R> failed(String failure, Throwable thrown, int number) {
    if (number >= limit) {
      return AttemptResult.failed(failure, number);
    }
    if (thrown instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    throw new IllegalStateException(failure, thrown);
  }
}
