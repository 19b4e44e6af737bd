package io.quantail.study.task;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
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
 * @param engine settings of Spark, which take precedence over ours
 */
public record ClusterSettings(
    ClusterAddress cluster,
    Path directory,
    String shared,
    int attempts,
    Map<String, String> engine) {
  public ClusterSettings {
    directory = directory.toAbsolutePath().normalize();
    engine = Collections.unmodifiableMap(new TreeMap<>(engine));
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, was " + attempts);
    }
  }
}
