package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.run.RunReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a full or read-only disk: the command ends with one line and can be resumed later. */
@DisabledOnOs(OS.WINDOWS)
class StarvedRunTest {
  private static final String[] ENDLESS = {
    "--set", "training.steps=100000000", "--set", "training.snapshotUpdates=1"
  };

  @TempDir private Path directory;

  /**
   * A limit on the size of files stands for the limit of a disk: metrics grow until they meet it.
   */
  @Test
  void shouldEndWithTheLastGoodSnapshotWhenNoMoreCanBeWritten() throws Exception {
    Path run = directory.resolve("run");
    List<String> limited = List.of("bash", "-c", "ulimit -f 400 && exec \"$@\"", "limited");
    ChildProcess child =
        ChildProcess.start(directory, limited, Invocation.trainArguments(run, ENDLESS));
    assertThat(child.await()).as(child.output()).isEqualTo(ExitCode.FAILED);
    assertStopped(run, child.output(), "File too large");
    assertResumes(run);
  }

  @Test
  void shouldEndWithTheLastGoodSnapshotWhenTheDirectoryTurnsReadOnly() throws Exception {
    Path run = directory.resolve("run");
    Path snapshots = run.resolve("snapshots");
    ChildProcess child =
        ChildProcess.start(directory, asOrdinaryUser(), Invocation.trainArguments(run, ENDLESS));
    ChildProcess.waitFor(snapshots.resolve("LATEST"));
    permissions(snapshots, "r-xr-xr-x");
    assertThat(child.await()).as(child.output()).isEqualTo(ExitCode.FAILED);
    permissions(snapshots, "rwxr-xr-x");
    assertStopped(run, child.output(), "AccessDenied");
    assertResumes(run);
  }

  @Test
  void shouldSayInOneLineThatMemoryIsTooSmall() throws Exception {
    requireOneLine(List.of("env", "_JAVA_OPTIONS=-Xmx12m"), "there is too little memory: the heap");
  }

  @Test
  void shouldSayInOneLineThatThereIsNoDirectoryForTemporaryFiles() throws Exception {
    requireOneLine(
        List.of("env", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=/none/of/these"),
        "the directory for temporary files, /none/of/these, does not exist");
  }

  @Test
  void shouldSayInOneLineThatTooFewFilesMayBeOpen() throws Exception {
    requireOneLine(
        List.of("bash", "-c", "ulimit -n 48 && exec \"$@\"", "limited"),
        "Too many open files",
        "the process may open too few files");
  }

  /** One of the texts, in the only line that begins with the name of the program. */
  private void requireOneLine(List<String> wrapper, String... texts) throws Exception {
    ChildProcess child =
        ChildProcess.start(directory, wrapper, Invocation.trainArguments(directory.resolve("run")));
    assertThat(child.await()).as(child.output()).isEqualTo(ExitCode.FAILED);
    assertThat(child.output()).doesNotContain("\tat ");
    assertThat(child.output().lines().filter(line -> line.startsWith("quantail: ")))
        .singleElement()
        .asString()
        .containsAnyOf(texts);
  }

  /** Root may write everywhere; without that capability it is like any other user. */
  private static List<String> asOrdinaryUser() throws IOException, InterruptedException {
    if (!"root".equals(System.getProperty("user.name"))) {
      return List.of();
    }
    List<String> wrapper = List.of("setpriv", "--bounding-set=-dac_override");
    boolean works;
    try {
      works =
          new ProcessBuilder("setpriv", "--bounding-set=-dac_override", "true").start().waitFor()
              == 0;
    } catch (IOException missing) {
      works = false;
    }
    Assumptions.assumeTrue(works, "root cannot be kept from writing without setpriv");
    return wrapper;
  }

  private static void permissions(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private static void assertStopped(Path run, String output, String why) {
    assertThat(output.lines().reduce("", (before, line) -> line))
        .startsWith("quantail: after update ")
        .contains(why)
        .contains("; the last good snapshot is that of update ")
        .endsWith("; resume with: quantail resume " + run);
  }

  /** Resumes after space was freed, and trains to the end. */
  private static void assertResumes(Path run) throws IOException {
    Path config = run.resolve("config.yaml");
    long update = RunReader.snapshot(run).manifest().info().update();
    Files.writeString(
        config,
        Files.readString(config)
            .replace("100000000", Long.toString((update + 2) * Invocation.STEPS_PER_ITERATION)));
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
  }
}
