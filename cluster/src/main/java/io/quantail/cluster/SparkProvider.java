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
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Provides task runners on Apache Spark: connects, waits for an executor and runs a test task. */
public final class SparkProvider implements ClusterProvider {
  /** How long to wait for the answer of a master; Spark itself would wait for a minute. */
  private static final int MASTER_MILLIS = 15_000;

  /** Newest Java that Spark 4.0 supports. */
  private static final int NEWEST_JAVA = 21;

  private static final int CONNECT_MILLIS = 3000;
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
      awaitExecutor(spark, conf, settings.executorSeconds());
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
              + " no firewall blocks it");
    }
  }

  /** Starts Spark in a daemon thread, which is abandoned if the master does not answer. */
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
          "cannot start Spark on %s: %s%s"
              .formatted(
                  cluster.text(),
                  Objects.requireNonNull(failure.getCause()).getMessage(),
                  javaHint()),
          failure.getCause());
    } catch (InterruptedException interrupted) {
      throw InterruptHandling.cancelled();
    }
  }

  private static String javaHint() {
    int version = Runtime.version().feature();
    return version > NEWEST_JAVA
        ? String.format(
            Locale.ROOT, "; this is Java %d, use Java 17 or %d for Spark", version, NEWEST_JAVA)
        : "";
  }

  /** Counts only the time in which the thread waits, because this machine may be slow. */
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

  private static void awaitExecutor(JavaSparkContext spark, SparkConf conf, int seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    // The status includes the driver.
    while (spark.sc().getExecutorMemoryStatus().size() < 2) {
      if (spark.sc().isStopped() || System.nanoTime() > deadline) {
        throw new ClusterException(
            String.format(
                    Locale.ROOT,
                    "no executor of %s with %s core and %s of heap started within %d seconds; check"
                        + " that the",
                    conf.get("spark.master"),
                    conf.get("spark.executor.cores"),
                    conf.get("spark.executor.memory"),
                    seconds)
                + " cluster has a free worker of that size, ask for less with --spark"
                + " spark.executor.memory=512m, or wait longer with --executor-wait");
      }
      InterruptHandling.sleep(PAUSE_MILLIS);
    }
  }
}
