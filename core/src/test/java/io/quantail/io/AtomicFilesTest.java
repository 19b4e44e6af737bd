package io.quantail.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {
  @TempDir Path directory;

  @Test
  void shouldWriteAndReplaceAFile() {
    Path file = directory.resolve("a.txt");

    assertThat(AtomicFiles.write(file, "größer")).isEqualTo(file);
    assertThat(file).hasContent("größer");

    AtomicFiles.write(file, new byte[] {'b'});
    assertThat(file).hasContent("b");
    assertThat(names()).containsExactly("a.txt");
  }

  @Test
  void shouldKeepTheOldFileUntilTheNewOneIsWhole() {
    Path file = AtomicFiles.write(directory.resolve("a.txt"), "old");

    AtomicFiles.write(
        file,
        output -> {
          output.write("new".getBytes(StandardCharsets.UTF_8));
          output.flush();
          assertThat(file).hasContent("old");
        });

    assertThat(file).hasContent("new");
  }

  @Test
  void shouldLeaveTheOldFileAndNothingElseAfterAFailure() {
    Path file = AtomicFiles.write(directory.resolve("a.txt"), "old");

    assertThatThrownBy(
            () ->
                AtomicFiles.write(
                    file,
                    output -> {
                      output.write(1);
                      throw new IOException("No space left on device");
                    }))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot write " + file)
        .hasRootCauseMessage("No space left on device");
    assertThatThrownBy(
            () ->
                AtomicFiles.write(
                    file,
                    output -> {
                      throw new IllegalStateException("no content");
                    }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("a.txt");
  }

  @Test
  void shouldNameTheFileWhoseDirectoryIsMissing() {
    Path file = directory.resolve("no").resolve("a.txt");

    assertThatThrownBy(() -> AtomicFiles.write(file, "x"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot write " + file);
  }

  @Test
  void shouldReplaceADirectoryAsAWhole() throws IOException {
    Path target = directory.resolve("best");
    Files.createDirectories(target.resolve("deep"));
    Files.writeString(target.resolve("deep").resolve("old"), "1");
    Files.createDirectories(directory.resolve("best.new").resolve("left by a dead process"));

    AtomicFiles.replaceDirectory(
        target,
        fresh -> {
          assertThat(fresh).doesNotExist();
          assertThat(target.resolve("deep")).exists();
          fill(fresh);
        });

    assertThat(target.resolve("new")).hasContent("2");
    assertThat(target.resolve("deep")).doesNotExist();
    assertThat(names()).containsExactly("best");
  }

  @Test
  void shouldKeepTheOldDirectoryIfTheNewOneFails() throws IOException {
    Path target = Files.createDirectory(directory.resolve("best"));
    Files.writeString(target.resolve("old"), "1");

    assertThatThrownBy(
            () ->
                AtomicFiles.replaceDirectory(
                    target,
                    fresh -> {
                      fill(fresh);
                      throw new IllegalStateException("stopped");
                    }))
        .hasMessage("stopped");

    assertThat(target.resolve("old")).hasContent("1");
    assertThat(target.resolve("new")).doesNotExist();
  }

  @Test
  void shouldMoveADirectoryIntoMissingParents() {
    Path from = directory.resolve("attempt");
    fill(from);
    Path to = directory.resolve("members").resolve("member-000");

    AtomicFiles.moveDirectory(from, to);

    assertThat(to.resolve("new")).hasContent("2");
    assertThat(from).doesNotExist();
    assertThatThrownBy(() -> AtomicFiles.moveDirectory(from, directory.resolve("other")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot move " + from);
  }

  @Test
  void shouldDeleteADirectoryWithItsContentAndAcceptAMissingOne() throws IOException {
    Path target = Files.createDirectories(directory.resolve("a").resolve("b"));
    Files.writeString(target.resolve("c"), "1");

    AtomicFiles.deleteDirectory(directory.resolve("a"));
    AtomicFiles.deleteDirectory(directory.resolve("a"));

    assertThat(names()).isEmpty();
  }

  private static void fill(Path fresh) {
    try {
      Files.createDirectory(fresh);
      Files.writeString(fresh.resolve("new"), "2");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
