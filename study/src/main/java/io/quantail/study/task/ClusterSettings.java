package io.quantail.study.task;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Settings of a cluster.
 *
 * @param cluster its address
 * @param directory to which the files of attempts are copied
 * @param shared address of the directory through which workers and this process exchange files,
 *     such as {@code hdfs://host/path}; null for {@code directory}, which workers must then see
 *     under the same name
 * @param attempts before a task counts as failed
 * @param executorSeconds how long to wait for a first executor
 * @param needs what the tasks use beside the learner, which is sent to executors
 * @param engine settings of Spark, which take precedence over ours
 */
public record ClusterSettings(
    ClusterAddress cluster,
    Path directory,
    String shared,
    int attempts,
    int executorSeconds,
    Set<Need> needs,
    Map<String, String> engine) {
  /** Something that many tasks do without, and that is large. */
  public enum Need {
    /** Reads files of bars. */
    BARS,
    /** Writes the report of an agent. */
    REPORTS
  }

  /** Default of {@code executorSeconds}. */
  public static final int EXECUTOR_SECONDS = 120;

  public ClusterSettings {
    directory = directory.toAbsolutePath().normalize();
    needs = Set.copyOf(needs);
    engine = Collections.unmodifiableMap(new TreeMap<>(engine));
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, was " + attempts);
    }
    if (executorSeconds < 1) {
      throw new IllegalArgumentException(
          "executorSeconds must be at least 1, was " + executorSeconds);
    }
  }
}
