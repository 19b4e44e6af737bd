package io.quantail.run.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigException;
import io.quantail.testing.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("CKPT-3")
class DirectoryLockTest {
  private static final DirectoryLock.SystemLock UNSUPPORTED =
      file -> {
        throw new IOException("Function not implemented");
      };

  @TempDir private Path directory;

  /** Takes a lock in a process of its own, says so, and waits until it is told to end. */
  public static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (DirectoryLock lock = DirectoryLock.acquire(Path.of(arguments[0]))) {
        System.out.println("held");
        System.in.read();
        lock.requireHeld();
      }
    }
  }

  private Process hold() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(output.readLine()).isEqualTo("held");
    return process;
  }

  private Path file() {
    return directory.resolve(DirectoryLock.FILE);
  }

  private void write(String host, long process, Instant modified) throws IOException {
    ObjectNode owner = Json.MAPPER.createObjectNode();
    owner.put("host", host).put("process", process).put("started", "2026-01-01T00:00:00Z");
    owner.put("since", "2026-01-01T00:00:01Z").put("token", "of-somebody-else");
    Files.writeString(file(), owner + "\n");
    Files.setLastModifiedTime(file(), FileTime.from(modified));
  }

  private String host() throws IOException {
    try (DirectoryLock lock = DirectoryLock.acquire(directory)) {
      lock.requireHeld();
      return Json.MAPPER.readTree(file().toFile()).path("host").asText();
    }
  }

  private void assertFree() {
    try (DirectoryLock lock = DirectoryLock.acquire(directory)) {
      lock.requireHeld();
    }
    assertThat(file()).isEmptyFile();
  }

  private void assertRefused(String owner) {
    assertThatThrownBy(() -> DirectoryLock.acquire(directory))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(directory + " is in use by " + owner)
        .hasMessageEndingWith("; wait until it ends, or use another directory");
  }

  @Test
  void shouldBeHeldOnceInAProcess() {
    try (DirectoryLock lock = DirectoryLock.acquire(directory)) {
      assertRefused("this process since 20");
      lock.requireHeld();
    }
    assertFree();
  }

  @Test
  void shouldBeHeldByOneProcess() throws Exception {
    Process other = hold();
    try {
      assertRefused("process " + other.pid() + " since 20");
      other.getOutputStream().close();
      assertThat(other.waitFor()).isZero();
      assertFree();
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void shouldBeTakenOverFromAProcessThatWasKilled() throws Exception {
    Process other = hold();
    other.destroyForcibly().waitFor();
    assertThat(file()).isNotEmptyFile();
    assertFree();
  }

  /** Where the system does not lock, the process in the content decides. */
  @Test
  void shouldBeHeldByAProcessThatRunsWithoutALockOfTheSystem() throws Exception {
    Process other = hold();
    try {
      assertThatThrownBy(() -> DirectoryLock.acquire(directory, UNSUPPORTED))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("is in use by process " + other.pid());
      other.destroyForcibly().waitFor();
      DirectoryLock.acquire(directory, UNSUPPORTED).close();
    } finally {
      other.destroyForcibly();
    }
  }

  /** The number of a process that ended may belong to another one. */
  @Test
  void shouldNotMistakeAnotherProcessForTheOwner() throws IOException {
    write(host(), ProcessHandle.current().parent().orElseThrow().pid(), Instant.now());
    assertFree();
  }

  @Test
  void shouldBelieveAnotherHostThatWroteLately() throws IOException {
    write("elsewhere", 7, Instant.now().minusSeconds(30));
    assertRefused("process 7 on host elsewhere since 2026-01-01T00:00:01Z");
    assertThat(Files.readString(file())).contains("of-somebody-else");
    assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void shouldBeTakenOverFromAHostThatIsSilent() throws IOException {
    write("elsewhere", 7, Instant.now().minusSeconds(90));
    assertFree();
  }

  @Test
  void shouldReadPartOfAnOwnerAsNone() throws IOException {
    Files.writeString(file(), "{\"host\":\"elsewh");
    assertFree();
  }

  @Test
  void shouldStopAnOwnerThatLostTheDirectoryWhileItWasPaused() throws IOException {
    try (DirectoryLock lock = DirectoryLock.acquire(directory)) {
      write("elsewhere", 7, Instant.now());
      assertThatThrownBy(lock::requireHeld)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("was taken over by process 7 on host elsewhere");
    }
    assertThat(Files.readString(file())).contains("of-somebody-else");
  }

  @Test
  void shouldStopAnOwnerWhoseDirectoryIsGone() throws IOException {
    Path gone = Files.createDirectory(directory.resolve("gone"));
    try (DirectoryLock lock = DirectoryLock.acquire(gone)) {
      Files.delete(gone.resolve(DirectoryLock.FILE));
      assertThatThrownBy(lock::requireHeld).hasMessageContaining("was deleted or moved");
      Files.writeString(gone.resolve(DirectoryLock.FILE), "");
      assertThatThrownBy(lock::requireHeld).hasMessageContaining("was replaced");
    }
  }

  /** All threads try at the same moment. */
  @Test
  void shouldHaveOneWinner() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 100; round++) {
        List<Callable<Integer>> tries = new ArrayList<>();
        List<DirectoryLock> won = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          tries.add(
              () -> {
                try {
                  DirectoryLock lock = DirectoryLock.acquire(directory);
                  synchronized (won) {
                    won.add(lock);
                  }
                  return 1;
                } catch (ConfigException refused) {
                  return 0;
                }
              });
        }
        int winners = 0;
        for (Future<Integer> one : threads.invokeAll(tries)) {
          winners += one.get(60, TimeUnit.SECONDS);
        }
        assertThat(winners).isEqualTo(1);
        won.forEach(DirectoryLock::close);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
