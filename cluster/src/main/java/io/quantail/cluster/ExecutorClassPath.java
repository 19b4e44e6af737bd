package io.quantail.cluster;

import io.quantail.study.task.ClusterException;
import io.quantail.study.task.ClusterSettings;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;

/** The part of this process's class path that executors need. */
final class ExecutorClassPath {
  /** Libraries of the command, the dashboard and the terminal, which no task uses. */
  private static final Pattern OF_THE_DRIVER =
      Pattern.compile("(javalin|jetty-|websocket-|kotlin-stdlib|jline-|picocli-|slf4j-nop).*");

  /** Reads bars, and the metrics that a report shows. */
  private static final Pattern OF_TABLES = Pattern.compile("duckdb_jdbc.*");

  private static final Pattern OF_BARS = Pattern.compile("ta4j-.*");
  private static final Pattern OF_REPORTS = Pattern.compile("echarts-.*");

  private ExecutorClassPath() {}

  /** All entries, for processes on this machine, except slf4j-nop: executors write logs. */
  static String ofExecutors() {
    return entries()
        .filter(path -> !path.getFileName().toString().startsWith("slf4j-nop"))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * The jars that tasks need and a cluster does not have: without those in the directory of Spark's
   * jars.
   */
  static String toShip(Set<ClusterSettings.Need> needs) {
    Path spark = directoryOfSpark();
    List<Path> ours =
        entries()
            .filter(path -> !spark.equals(path.getParent()))
            .filter(path -> isNeeded(path.getFileName().toString(), needs))
            .toList();
    ours.stream()
        .filter(Files::isDirectory)
        .findFirst()
        .ifPresent(
            directory -> {
              throw new ClusterException(
                  "only jars can be sent to a cluster, but the class path has the directory %s; make a"
                          .formatted(directory)
                      + " jar of it");
            });
    return ours.stream().map(Path::toString).collect(Collectors.joining(","));
  }

  static boolean isNeeded(String jar, Set<ClusterSettings.Need> needs) {
    return !OF_THE_DRIVER.matcher(jar).matches()
        && (!needs.isEmpty() || !OF_TABLES.matcher(jar).matches())
        && (needs.contains(ClusterSettings.Need.BARS) || !OF_BARS.matcher(jar).matches())
        && (needs.contains(ClusterSettings.Need.REPORTS) || !OF_REPORTS.matcher(jar).matches());
  }

  private static Stream<Path> entries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath())
        .filter(Files::exists);
  }

  private static Path directoryOfSpark() {
    try {
      return Objects.requireNonNull(
          Path.of(SparkContext.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .getParent());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
