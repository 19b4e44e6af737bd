package io.quantail.cluster;

import io.quantail.study.task.ClusterAddress;
import io.quantail.study.task.ClusterException;
import io.quantail.study.task.ClusterProvider;
import io.quantail.study.task.ClusterSettings;
import io.quantail.study.task.TaskRunner;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Opens Apache Spark: connects, waits for a first executor, and has it read and write. */
public final class SparkProvider implements ClusterProvider {
  /** A master that has not answered by then is none; Spark itself would ask for a minute. */
  private static final int MASTER_MILLIS = 15_000;

  private static final int CONNECT_MILLIS = 3000;
  private static final int EXECUTOR_SECONDS = 120;
  private static final int PAUSE_MILLIS = 100;

  @Override
  public TaskRunner open(ClusterSettings settings) {
    requireReachable(settings.cluster());
    SparkConf conf = SparkSettings.of(settings);
    JavaSparkContext spark = connect(settings.cluster(), conf);
    try {
      SharedDirectory shared =
          SharedDirectory.open(
              settings.shared(), settings.directory(), spark.hadoopConfiguration());
      awaitExecutor(spark, conf);
      TaskRunner runner =
          new SparkTaskRunner(spark, shared, settings.directory(), SparkSettings.attempts(conf));
      ClusterProbe.check(runner);
      return runner;
    } catch (RuntimeException unusable) {
      InterruptHandling.undisturbed(spark::close);
      throw unusable;
    }
  }

  /**
   * Refuses a standalone cluster whose masters do not accept connections; Spark would try for a
   * minute.
   */
  private static void requireReachable(ClusterAddress cluster) {
    List<String> failures = new ArrayList<>();
    for (InetSocketAddress master : cluster.masters()) {
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(master.getHostString(), master.getPort()), CONNECT_MILLIS);
        return;
      } catch (IOException failure) {
        failures.add(failure.toString());
      }
    }
    if (cluster.isStandalone()) {
      throw new ClusterException(
          "cannot reach the Spark master %s (%s); check the address, that the master runs, and that"
                  .formatted(cluster.text(), String.join("; ", failures))
              + " no firewall is between");
    }
  }

  /** In a thread of its own, which is left behind when nobody answers. */
  private static JavaSparkContext connect(ClusterAddress cluster, SparkConf conf) {
    FutureTask<JavaSparkContext> start = new FutureTask<>(() -> new JavaSparkContext(conf));
    Thread thread = new Thread(start, "spark-start");
    thread.setDaemon(true);
    thread.start();
    awaitAnswer(thread, cluster);
    try {
      return start.get();
    } catch (ExecutionException failure) {
      throw new ClusterException(
          "cannot start Spark on %s: %s".formatted(cluster.text(), failure.getCause().getMessage()),
          failure.getCause());
    } catch (InterruptedException interrupted) {
      throw InterruptHandling.cancelled();
    }
  }

  /** Only the time in which the thread waits counts: this machine may be slow, too. */
  private static void awaitAnswer(Thread start, ClusterAddress cluster) {
    int waited = 0;
    while (start.isAlive()) {
      InterruptHandling.sleep(PAUSE_MILLIS);
      Thread.State state = start.getState();
      if (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) {
        waited += PAUSE_MILLIS;
      }
      if (cluster.isStandalone() && waited > MASTER_MILLIS) {
        throw new ClusterException(
            "%s accepts connections but does not answer as a Spark %s master; check the port (7077"
                    .formatted(cluster.text(), org.apache.spark.package$.MODULE$.SPARK_VERSION())
                + " by default, not that of its web page) and that the versions are equal");
      }
    }
  }

  private static void awaitExecutor(JavaSparkContext spark, SparkConf conf) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(EXECUTOR_SECONDS);
    // The driver counts as one.
    while (spark.sc().getExecutorMemoryStatus().size() < 2) {
      if (spark.sc().isStopped() || System.nanoTime() > deadline) {
        throw new ClusterException(
            "no executor of %s with %s core and %s of heap started within %d seconds; check that the"
                    .formatted(
                        conf.get("spark.master"),
                        conf.get("spark.executor.cores"),
                        conf.get("spark.executor.memory"),
                        EXECUTOR_SECONDS)
                + " cluster has a free worker of that size, or ask for less with --spark"
                + " spark.executor.memory=512m");
      }
      InterruptHandling.sleep(PAUSE_MILLIS);
    }
  }
}
