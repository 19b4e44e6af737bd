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
import java.util.Objects;
import java.util.UUID;

/**
 * A task that tests a cluster: the executor must have the classes of Quantail and see the shared
 * directory, and the driver must be able to read what it writes.
 *
 * @param nonce content that the task writes
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
   * Runs the task and checks its result.
   *
   * @throws ClusterException if the cluster cannot run tasks
   */
  static void check(TaskRunner runner) {
    ClusterProbe probe = new ClusterProbe(UUID.randomUUID().toString());
    TaskResult<String> result = runner.run(List.of(probe), ignored -> {}).get(0);
    if (!result.succeeded()) {
      throw new ClusterException(
          "an executor could not run a test task: "
              + result.failure()
              + "; check the logs of the executor");
    }
    try {
      if (Files.readString(Objects.requireNonNull(result.directory()).resolve(ANSWER))
          .equals(probe.nonce())) {
        return;
      }
      throw new IOException("unexpected content");
    } catch (IOException unseen) {
      throw new ClusterException(
          "the driver cannot read what the executor on %s wrote (%s); %s"
              .formatted(result.value(), unseen, SparkTaskRunner.SHARE),
          unseen);
    }
  }
}
