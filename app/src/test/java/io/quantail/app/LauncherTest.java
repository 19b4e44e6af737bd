package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quantail.app.common.ExitCode;
import io.quantail.kernel.VectorInstructions;
import io.quantail.simd.VectorSupport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher of a distribution, started as a user starts it. The JVM replaces it, so that
 * signals, exit codes and both output streams are the JVM's own.
 */
class LauncherTest {
  private static final Path LAUNCHER =
      Path.of(
          System.getProperty("quantail.root"), "distribution", "src", "main", "files", "quantail");

  @TempDir private Path directory;

  /** Prints whether the loops run in vector instructions. */
  public static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) {
      System.out.println(VectorInstructions.inUse());
    }
  }

  @Test
  void shouldTrainWithoutAWarningOfTheJvm() throws Exception {
    Run training = launch(Map.of(), Invocation.trainArguments(directory.resolve("run")));

    assertThat(training.await()).as(training.err()).isEqualTo(ExitCode.OK);
    assertThat(training.err()).doesNotContain("WARNING", "incubator").contains("steps");
    assertThat(training.out()).hasLineCount(1).startsWith("{");
  }

  @Test
  void shouldUseVectorInstructionsAsWithTheModuleOfTheCommandLine() throws Exception {
    assertThat(probe(VectorSupport.COMMAND_OPTIONS)).isEqualTo(probe(VectorSupport.JVM_OPTIONS));
    assertThat(probe(VectorSupport.COMMAND_OPTIONS)).contains("true").doesNotContain("WARNING");
    assertThat(probe(List.of())).contains("false");
  }

  /** Both streams of a JVM with these options, without the JVM's warning. */
  private static String probe(List<String> options) throws IOException {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Probe.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes())
        .replace("WARNING: Using incubator modules: jdk.incubator.vector\n", "");
  }

  @Test
  void shouldPassOnWhatTheJvmReports() throws Exception {
    Run run = launch(Map.of("QUANTAIL_HEAP", "nonsense"), "--version");

    assertThat(run.await()).isEqualTo(1);
    assertThat(run.out() + run.err()).contains("Invalid maximum heap size: -Xmxnonsense");
  }

  @Test
  void shouldEndOnControlCWithItsExitCode() throws Exception {
    Path place = directory.resolve("interrupted");
    Run run = launchEndless(place);
    signal(run, "INT");

    assertThat(run.await()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(run.err()).endsWith("interrupted; resume with: quantail resume " + place + "\n");
  }

  @Test
  void shouldPassOnTheReportOfACrash() throws Exception {
    Run run = launchEndless(directory.resolve("crashed"));
    signal(run, "SEGV");

    assertThat(run.await()).isEqualTo(1); // the JVM aborts only where it leaves a core file
    assertThat(run.out() + run.err())
        .contains("A fatal error has been detected by the Java Runtime Environment", "SIGSEGV");
  }

  @Test
  void shouldAskForVectorInstructionsOnlyWhereTheCommandTrains() throws Exception {
    assertThat(optionsOf("train", "a.yaml")).contains("-XX:+EnableVectorSupport");
    assertThat(optionsOf("-q", "train", "a.yaml")).contains("-XX:+EnableVectorSupport");
    assertThat(optionsOf("runs")).doesNotContain("-XX:+EnableVectorSupport");
    assertThat(optionsOf("compare", "train")).doesNotContain("-XX:+EnableVectorSupport");
  }

  /** The arguments with which the launcher starts Java. */
  private List<String> optionsOf(String... arguments) throws Exception {
    Path java = directory.resolve("jdk").resolve("bin").resolve("java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Run run = launch(Map.of("JAVA_HOME", directory.resolve("jdk").toString()), arguments);
    assertThat(run.await()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  @Test
  void shouldShowColoursOnATerminalUnlessTheUserOrTheTerminalRefusesThem() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    assertThat(onTerminal("TERM=xterm")).contains("Usage:", "\u001b[");
    assertThat(onTerminal("TERM=xterm NO_COLOR=1")).contains("Usage:").doesNotContain("\u001b[");
    assertThat(onTerminal("TERM=dumb")).contains("Usage:").doesNotContain("\u001b[");
    Run piped = launch(Map.of("TERM", "xterm"), "runs", "--help");
    assertThat(piped.await()).isEqualTo(ExitCode.OK);
    assertThat(piped.out()).contains("Usage:").doesNotContain("\u001b[");
  }

  @Test
  void shouldTakeTheWidthOfTheTerminal() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    assertThat(onTerminal("TERM=dumb").lines().mapToInt(String::length).max().orElseThrow())
        .isBetween(81, 100);
  }

  /** What the help of a command looks like on a terminal of 100 columns. */
  private String onTerminal(String variables) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "/usr/bin/script",
            "-qec",
            "stty cols 100; env -u NO_COLOR -u COLUMNS " + variables + " " + LAUNCHER + " runs -h",
            "/dev/null");
    prepare(builder);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private Run launchEndless(Path place) throws Exception {
    Run run =
        launch(Map.of(), Invocation.trainArguments(place, "--set", "training.steps=100000000"));
    ChildProcess.waitFor(place.resolve("snapshots").resolve("LATEST"));
    return run;
  }

  private static void signal(Run run, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(run.process().pid())).start().waitFor();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private Run launch(Map<String, String> variables, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(directory.resolve("err").toFile());
    prepare(builder);
    builder.environment().putAll(variables);
    return new Run(builder.start(), directory);
  }

  private static void prepare(ProcessBuilder builder) {
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("QUANTAIL_CLONE", System.getProperty("quantail.root"));
    builder.environment().put("QUANTAIL_JARS", System.getProperty("java.class.path"));
    builder.environment().put("QUANTAIL_JVM_OPTIONS", "-XX:-CreateCoredumpOnCrash");
  }

  private record Run(Process process, Path directory) {
    int await() throws InterruptedException {
      boolean ended = process.waitFor(120, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(ended).as("ends by itself").isTrue();
      return process.exitValue();
    }

    String out() throws IOException {
      return Files.readString(directory.resolve("out"));
    }

    String err() throws IOException {
      return Files.readString(directory.resolve("err"));
    }
  }
}
