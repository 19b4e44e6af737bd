package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users of every language and character set get the same files and the same text: the commands of
 * {@link CommandsProcess} run in processes that differ in these only.
 */
class LocaleTest {
  private static final String CONFIG =
      System.getProperty("quantail.root") + "/configs/classic/cartpole-no-velocity.yaml";

  /** Files with times, speeds, process ids or versions. */
  private static final String TIMES =
      ".*(clock\\.|status\\.json|result\\.json|files\\.sha256|tensorboard|lock|ledger|robustness"
          + "|evidence\\.json|events of|output\\.txt|outcome\\.json\\.gz).*";

  @TempDir private static Path directory;
  private static Path reference;

  @BeforeAll
  static void runInEnglish() throws Exception {
    reference = run("en", "-Duser.language=en -Duser.country=US");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Duser.language=ar -Duser.country=EG",
        "-Duser.language=tr -Duser.country=TR",
        "-Duser.language=fa -Dfile.encoding=ISO-8859-1 -Dsun.jnu.encoding=ANSI_X3.4-1968"
      })
  void shouldWriteTheSameFilesForEveryLanguageAndCharacterSet(String options) throws Exception {
    Path other = run(options.replaceAll("\\W+", "-"), options);

    assertThat(files(other)).isEqualTo(files(reference));
    for (String file : files(reference)) {
      if (!file.matches(TIMES)) {
        assertThat(other.resolve(file)).hasSameBinaryContentAs(reference.resolve(file));
      }
    }
    assertThat(text(other)).isEqualTo(text(reference));
  }

  /** Names of all files that a process left. */
  private static TreeSet<String> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .map(name -> name.contains("events.out") ? "events of TensorBoard" : name)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** What a process printed, without its numbers, some of which are speeds. */
  private static List<String> text(Path root) throws IOException {
    return Files.readString(root.resolve("output.txt"), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.contains(" steps "))
        .map(line -> line.replaceAll("[0-9.,]+ s\\b", "SECONDS"))
        .toList();
  }

  private static Path run(String name, String options) throws Exception {
    Path place = Files.createDirectories(directory.resolve(name));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.addAll(List.of(options.split(" ")));
    command.addAll(
        List.of(
            "-cp", System.getProperty("java.class.path"), CommandsProcess.class.getName(), CONFIG));
    ProcessBuilder builder = new ProcessBuilder(command).directory(place.toFile());
    builder.environment().put("QUANTAIL_LEDGER", place.resolve("ledger").toString());
    builder.environment().put("LC_ALL", "C");
    File output = place.resolve("output.txt").toFile();
    Process process = builder.redirectErrorStream(true).redirectOutput(output).start();
    assertThat(process.waitFor()).as(() -> read(output)).isZero();
    return place;
  }

  private static String read(File file) {
    try {
      return Files.readString(file.toPath(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }
}
