package io.quantail.task;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which cluster, and how it is used.
 *
 * @param cluster which
 * @param directory where what attempts have written is brought
 * @param shared address of the directory through which workers and this process exchange files,
 *     such as {@code hdfs://host/path}; null for {@code directory}, which workers must then see
 *     under the same name
 * @param attempts how often a task is tried before it counts as failed
 * @param engine settings of the engine, passed on as they are; they win over our own
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
