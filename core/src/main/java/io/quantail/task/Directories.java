package io.quantail.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Deletes directories with their content. */
public final class Directories {
  private Directories() {}

  /** Deletes a directory if it exists. */
  public static void delete(Path directory) {
    if (Files.notExists(directory)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(directory)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot delete " + directory, failure);
    }
  }
}
