package io.quantail.cluster;

import io.quantail.task.AttemptDirectory;
import io.quantail.task.Task;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/**
 * One attempt of a task, on an executor. All but the last throw what went wrong, so that Spark
 * tries again, elsewhere if it can; the last returns it, so that the failure reads as it would in a
 * single process.
 *
 * @param shared how to know the shared directory
 * @param limit how often the task is tried
 */
record Attempt<R extends Serializable>(Visibility shared, int limit)
    implements Function<Task<R>, Attempted<R>> {

  @Override
  public Attempted<R> call(Task<R> task) throws IOException {
    int number = TaskContext.get().attemptNumber() + 1;
    if (!shared.isSeen()) {
      return Attempted.blind(InetAddress.getLocalHost().getHostName(), number);
    }
    try {
      R value = task.run(AttemptDirectory.create(Path.of(shared.directory()), task.name()));
      return value == null
          ? failed("returned nothing", null, number)
          : Attempted.done(value, number);
    } catch (Throwable thrown) {
      if (Thread.currentThread().isInterrupted() || TaskContext.get().isInterrupted()) {
        throw new CancellationException(task.name() + " was interrupted");
      }
      return failed(thrown.toString(), thrown, number);
    }
  }

  /** An error of the machine goes on as it is: it ends the executor, and a fresh one takes over. */
  private Attempted<R> failed(String failure, Throwable thrown, int number) {
    if (number >= limit) {
      return Attempted.failed(failure, number);
    }
    if (thrown instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    throw new IllegalStateException(failure, thrown);
  }
}
