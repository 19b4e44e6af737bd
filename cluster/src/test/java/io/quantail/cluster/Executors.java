package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The executor processes of a cluster on this machine. */
final class Executors {
  private static final String MAIN = "CoarseGrainedExecutorBackend";

  private Executors() {}

  static List<ProcessHandle> of(ProcessHandle driver) {
    return driver
        .descendants()
        .filter(
            process ->
                process.info().arguments().stream()
                    .anyMatch(arguments -> String.join(" ", arguments).contains(MAIN)))
        .toList();
  }

  /** With SIGKILL, as a machine that goes away. */
  static void killOne(ProcessHandle driver) {
    List<ProcessHandle> executors = of(driver);
    assertThat(executors).isNotEmpty();
    executors.get(0).destroyForcibly();
  }
}
