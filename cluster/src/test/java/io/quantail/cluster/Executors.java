package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The executor processes of a cluster on this machine. */
final class Executors {
  private Executors() {}

  /** The processes that a driver starts are all executors. */
  static List<ProcessHandle> of(ProcessHandle driver) {
    return driver
        .children()
        .filter(process -> process.info().command().orElse("").endsWith("java"))
        .toList();
  }

  /** With SIGKILL, as a machine that goes away. */
  static void killOne(ProcessHandle driver) {
    List<ProcessHandle> executors = of(driver);
    assertThat(executors).isNotEmpty();
    executors.get(0).destroyForcibly();
  }
}
