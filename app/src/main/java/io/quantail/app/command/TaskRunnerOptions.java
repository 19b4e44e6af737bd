package io.quantail.app.command;

import io.quantail.app.common.UsageException;
import io.quantail.study.task.ClusterAddress;
import io.quantail.study.task.ClusterProvider;
import io.quantail.study.task.ClusterSettings;
import io.quantail.study.task.LocalTaskRunner;
import io.quantail.study.task.TaskRunner;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import picocli.CommandLine.Option;

/** Options for where agents train, the same for all commands that train several. */
final class TaskRunnerOptions {
  private static final String LOCAL = "local";
  private static final String PROCESSES = "local-cluster";

  @Option(
      names = "--on",
      paramLabel = "WHERE",
      defaultValue = LOCAL,
      description =
          "Where agents train: local (default), in this process; local-cluster[N], in N processes"
              + " of this machine; spark://HOST:PORT, on a Spark cluster; spark-submit, on the"
              + " cluster for which spark-submit started this program.")
  private String where;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "Number of agents that train at a time; default: one per core, on a cluster as many as"
              + " its cores allow.")
  private Integer parallel;

  @Option(
      names = "--shared",
      paramLabel = "URI",
      description =
          "Directory for files exchanged with a cluster: a Hadoop URI, such as hdfs://HOST/PATH;"
              + " default: the directory of --run, which the cluster must then see under the same"
              + " path.")
  private String shared;

  @Option(
      names = "--spark",
      paramLabel = "KEY=VALUE",
      description = "Setting of Spark, such as spark.executor.memory=2g; may be repeated.")
  private Map<String, String> engine = new LinkedHashMap<>();

  @Option(
      names = "--executor-wait",
      paramLabel = "SECONDS",
      description =
          "How long to wait for a first executor of a cluster; default: "
              + ClusterSettings.EXECUTOR_SECONDS
              + ".")
  private Integer executorWait;

  /** Refuses options that cannot be combined, before anything is written. */
  void check() {
    if (parallel != null && parallel < 1) {
      throw new UsageException(
          String.format(Locale.ROOT, "--parallel must be at least 1, was %d", parallel));
    }
    if (executorWait != null && executorWait < 1) {
      throw new UsageException(
          String.format(Locale.ROOT, "--executor-wait must be at least 1, was %d", executorWait));
    }
    if (isLocal()) {
      refuseClusterOptions();
      return;
    }
    if (address().isOnThisMachine() && parallel != null) {
      throw new UsageException(
          "--parallel cannot be used with --on local-cluster; give the number of processes in"
              + " brackets:"
              + String.format(Locale.ROOT, " --on local-cluster[%d]", parallel));
    }
    provider();
  }

  private void refuseClusterOptions() {
    String given =
        shared != null
            ? "--shared"
            : executorWait != null ? "--executor-wait" : engine.isEmpty() ? null : "--spark";
    if (given != null) {
      throw new UsageException(given + " needs --on with a cluster, was --on local");
    }
  }

  /** Number of threads per agent that uses all cores of this machine. */
  int threadsPerTask() {
    return isLocal() ? Math.max(1, cores() / parallelHere()) : 1;
  }

  /**
   * Opens the runner of tasks.
   *
   * @param needs what the tasks use beside the learner
   * @param directory parent of the directories of attempts
   * @param attempts how often a task is tried before it counts as failed
   */
  TaskRunner open(Set<ClusterSettings.Need> needs, Path directory, int attempts) {
    if (isLocal()) {
      return new LocalTaskRunner(parallelHere(), directory, attempts);
    }
    Map<String, String> settings = new LinkedHashMap<>();
    if (parallel != null) {
      settings.put("spark.cores.max", parallel.toString());
    }
    settings.putAll(engine);
    int seconds = executorWait == null ? ClusterSettings.EXECUTOR_SECONDS : executorWait;
    return provider()
        .open(
            new ClusterSettings(address(), directory, shared, attempts, seconds, needs, settings));
  }

  private boolean isLocal() {
    return where.equals(LOCAL);
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private int parallelHere() {
    return parallel == null ? cores() : parallel;
  }

  private ClusterAddress address() {
    try {
      return ClusterAddress.of(
          where.equals(PROCESSES)
              ? String.format(Locale.ROOT, "%s[%d]", PROCESSES, cores())
              : where);
    } catch (IllegalArgumentException malformed) {
      throw new UsageException("--on " + malformed.getMessage());
    }
  }

  /** The provider of the cluster module, whose large jars are optional. */
  private ClusterProvider provider() {
    return ServiceLoader.load(ClusterProvider.class)
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--on %s needs Apache Spark, which is not on the class path; start with"
                            .formatted(where)
                        + " ./quantail, which fetches it on first use, or with spark-submit (see"
                        + " docs/guides/clusters.md)"));
  }
}
