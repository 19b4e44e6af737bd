package io.quantail.cluster;

import io.quantail.study.task.ClusterException;
import io.quantail.study.task.Task;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * A task that shows that a cluster can work: an executor has our classes, sees the shared
 * directory, and what it writes arrives here.
 *
 * @param nonce what it writes
 */
record ClusterProbe(String nonce) implements Task<String> {
  private static final String ANSWER = "answer";

  @Override
  public String name() {
    return "probe";
  }

  @Override
  public String run(Path attempt) throws IOException {
    Files.writeString(attempt.resolve(ANSWER), nonce);
    return InetAddress.getLocalHost().getHostName();
  }

  /**
   * @throws ClusterException if the cluster cannot work
   */
  static void check(TaskRunner runner) {
    ClusterProbe probe = new ClusterProbe(UUID.randomUUID().toString());
    TaskResult<String> result = runner.run(List.of(probe), ignored -> {}).get(0);
    if (!result.succeeded()) {
      throw new ClusterException("an executor could not do a first task: " + result.failure());
    }
    try {
      if (Files.readString(result.directory().resolve(ANSWER)).equals(probe.nonce())) {
        return;
      }
      throw new IOException("another content");
    } catch (IOException unseen) {
      throw new ClusterException(
          "what the executor on %s wrote cannot be read here (%s); %s"
              .formatted(result.value(), unseen, SparkTaskRunner.SHARE),
          unseen);
    }
  }
}
