package io.quantail.cluster;

import io.quantail.study.task.TaskRunner;
import io.quantail.study.task.TaskSource;
import io.quantail.study.task.TaskWindow;
import java.io.Serializable;
import java.nio.file.Path;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Runs tasks on the executors of a Spark cluster. Each task is a Spark job of its own, so that its
 * failure does not affect others. Spark replaces lost executors and repeats only their tasks.
 *
 * <p>Files are exchanged through a directory that driver and executors share. The output of an
 * attempt is fetched and deleted there when it is done; the caller decides what to keep of it.
 */
public final class SparkTaskRunner implements TaskRunner {
  static final String SHARE =
      "driver and executors must share a directory under the same name: put that of the run on a"
          + " file system that all of them mount and give it with --run, or give another one with"
          + " --shared, such as hdfs://HOST/PATH";

  private final JavaSparkContext spark;
  private final SharedDirectory shared;
  private final Path directory;
  private final int attempts;

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
  public <R extends Serializable> void run(TaskSource<R> source) {
    try (SparkJobs<R> jobs = new SparkJobs<>(spark, shared, directory, attempts)) {
      TaskWindow.run(source, jobs);
    } catch (InterruptedException interrupted) {
      throw InterruptHandling.cancelled();
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
