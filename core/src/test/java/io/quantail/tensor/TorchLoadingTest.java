package io.quantail.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts new JVMs with an empty cache of native libraries, as on a machine that never ran us. */
class TorchLoadingTest {
  private static final String SUM = "[11.0, 22.0]";
  private static final int SECONDS = 180;

  @TempDir private Path directory;

  @Test
  void shouldLoadWithColdCache() throws Exception {
    Path cache = emptyCache();

    Child child = start(cache, "alone");

    child.requireSum();
    assertThat(files(cache)).anyMatch(file -> file.contains("torch_cpu"));
  }

  @Test
  void shouldLoadInTwoProcessesAtOnceWithOneColdCache() throws Exception {
    Path cache = emptyCache();

    Child first = start(cache, "first");
    Child second = start(cache, "second");

    first.requireSum();
    second.requireSum();
    assertThat(files(cache)).anyMatch(file -> file.contains("torch_cpu"));
  }

  private Path emptyCache() throws IOException {
    return Files.createDirectory(directory.resolve("cache"));
  }

  private Child start(Path cache, String name) throws IOException {
    Path output = directory.resolve(name + ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + directory.resolve(name + "-crash.log"),
                "-Dorg.bytedeco.javacpp.cachedir=" + cache,
                "-cp",
                System.getProperty("java.class.path"),
                TorchAddition.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Child(process, output);
  }

  private static List<String> files(Path cache) throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private record Child(Process process, Path output) {
    void requireSum() throws IOException, InterruptedException {
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      String text = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended).as("ended within %d s; it printed %s", SECONDS, text).isTrue();
      assertThat(process.exitValue()).as(text).isZero();
      // JDK 24 and newer warn of native access before our line.
      assertThat(text.lines()).last().isEqualTo(SUM);
    }
  }
}
