package io.quantail.cluster;

import io.quantail.io.WorkingDirectory;
import io.quantail.simd.VectorSupport;
import io.quantail.study.task.ClusterAddress;
import io.quantail.study.task.ClusterException;
import io.quantail.study.task.ClusterSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;

/**
 * Spark configuration for tasks: executors with one core, each in its own process, so that a crash
 * affects one task only; no speculative execution.
 */
final class SparkSettings {
  private static final String ATTEMPTS = "spark.task.maxFailures";
  private static final String KEPT = "100";
  private static final String HEAP = "spark.executor.memory";

  private SparkSettings() {}

  static SparkConf of(ClusterSettings settings) {
    SparkConf conf = new SparkConf();
    Map<String, String> ours = new LinkedHashMap<>();
    ours.put("spark.app.name", "quantail " + settings.directory());
    ours.put("spark.executor.cores", "1");
    ours.put("spark.task.cpus", "1");
    ours.put("spark.speculation", "false");
    ours.put(ATTEMPTS, Integer.toString(settings.attempts()));
    ours.put(HEAP, "1g");
    ours.put("spark.ui.showConsoleProgress", "false");
    ours.put("spark.log.level", "WARN");
    // A job for each agent: Spark would remember a thousand of them.
    ours.put("spark.ui.retainedJobs", KEPT);
    ours.put("spark.ui.retainedStages", KEPT);
    ours.put("spark.ui.retainedTasks", KEPT);
    ours.forEach(conf::setIfMissing);
    settings.engine().forEach(conf::set);
    addPlace(settings, conf);
    conf.setIfMissing("spark.executor.defaultJavaOptions", javaOptions());
    return conf;
  }

  /** The number of attempts of a task. */
  static int attempts(SparkConf conf) {
    return conf.getInt(ATTEMPTS, 1);
  }

  private static void addPlace(ClusterSettings settings, SparkConf conf) {
    ClusterAddress cluster = settings.cluster();
    if (cluster.isOnThisMachine()) {
      requireHome();
      conf.setMaster(
          String.format(
              Locale.ROOT,
              "local-cluster[%d,1,%d]",
              cluster.processes(),
              JavaUtils.byteStringAsMb(conf.get(HEAP))));
      conf.setIfMissing("spark.ui.enabled", "false");
      conf.setIfMissing("spark.driver.host", "localhost");
      conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
      conf.setIfMissing("spark.executor.extraClassPath", ExecutorClassPath.ofExecutors());
    } else if (cluster.isStandalone()) {
      conf.setMaster(cluster.text());
      if (!conf.contains("spark.jars")) {
        conf.set("spark.jars", ExecutorClassPath.toShip(settings.needs()));
      }
      // Spark has an older version of Jackson.
      conf.setIfMissing("spark.executor.userClassPathFirst", "true");
    } else if (!conf.contains("spark.master")) {
      throw new ClusterException(
          "--on spark-submit is for commands that spark-submit starts; otherwise, give the master:"
              + " --on spark://HOST:PORT");
    }
  }

  /** Requires the directory that Spark needs to start the processes of a local cluster. */
  private static void requireHome() {
    String home = System.getenv("SPARK_HOME");
    if (home == null || !Files.isDirectory(Path.of(home, "jars"))) {
      throw new ClusterException(
          "--on local-cluster needs SPARK_HOME, a directory with a directory jars (it may be empty)"
              + " and a file RELEASE, was %s; start the command with ./quantail, which creates one"
                  .formatted(home));
    }
  }

  private static String javaOptions() {
    return "-XX:+UseSerialGC -XX:-UsePerfData %s \"-D%s=%s\""
        .formatted(
            String.join(" ", VectorSupport.JVM_OPTIONS),
            WorkingDirectory.PROPERTY,
            Path.of("").toAbsolutePath());
  }
}
