package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command in a process of its own, so that it can be killed or starved. */
public record ChildProcess(Process process, Path log) {

  public static ChildProcess start(Path logs, String... arguments) throws IOException {
    return start(logs, List.of(), arguments);
  }

  /**
   * @param wrapper a command that runs the rest of its arguments as another
   */
  public static ChildProcess start(Path logs, List<String> wrapper, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName()));
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile(logs, "process", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new ChildProcess(process, log);
  }

  /** What it has printed so far. */
  public String output() throws IOException {
    return Files.readString(log);
  }

  /** The exit code, once it has come to its end by itself. */
  public int await() throws InterruptedException {
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly(); // nothing is left behind, whatever the outcome
    assertThat(ended).as("ends by itself").isTrue();
    return process.exitValue();
  }

  public static void waitFor(Path file) throws InterruptedException {
    for (int i = 0; i < 600 && !Files.exists(file); i++) {
      Thread.sleep(50);
    }
    assertThat(file).exists();
  }
}
