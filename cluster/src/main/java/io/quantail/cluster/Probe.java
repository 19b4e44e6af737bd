package io.quantail.cluster;

import io.quantail.task.ClusterException;
import io.quantail.task.Task;
import io.quantail.task.TaskResult;
import io.quantail.task.TaskRunner;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * A task that shows that a cluster can work: an executor has our classes, sees the shared
 * directory, and what it writes there is seen here.
 *
 * @param nonce what it writes
 */
record Probe(String nonce) implements Task<String> {
  private static final String ANSWER = "answer";

  @Override
  public String name() {
    return "probe";
  }

  @Override
  public String run(Path attempt) throws IOException {
    Path answer = attempt.resolve(ANSWER);
    Files.writeString(answer, nonce + " " + InetAddress.getLocalHost().getHostName());
    return answer.toString();
  }

  /**
   * @throws ClusterException if the cluster cannot work
   */
  static void check(TaskRunner runner) {
    Probe probe = new Probe(UUID.randomUUID().toString());
    TaskResult<String> result = runner.run(List.of(probe), ignored -> {}).get(0);
    if (!result.succeeded()) {
      throw new ClusterException("an executor could not do a first task: " + result.failure());
    }
    Path answer = Path.of(result.value());
    try {
      if (Files.readString(answer).startsWith(probe.nonce())) {
        return;
      }
      throw new NoSuchFileException(answer.toString());
    } catch (IOException unseen) {
      throw new ClusterException(
          "an executor wrote %s, which cannot be read here (%s); %s"
              .formatted(answer, unseen, SparkTaskRunner.SHARE),
          unseen);
    }
  }
}
