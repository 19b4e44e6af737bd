package io.quantail.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory below which Spark starts processes, as the launcher makes it. */
final class SparkHome {
  private SparkHome() {}

  static void make() throws IOException {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    Files.writeString(home.resolve("RELEASE"), "");
  }
}
