package io.quantail.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A directory that is made anew as a whole: a stop in between leaves no half of it. */
final class NewDirectory {
  private NewDirectory() {}

  /**
   * Puts a new directory in the place of an old one.
   *
   * @param fill makes it, under the name it is given
   */
  static void replace(Path target, Consumer<Path> fill) {
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    try {
      delete(fresh);
      fill.accept(fresh);
      delete(target);
      Files.move(fresh, target);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot make " + target, failure);
    }
  }

  /** Deletes a directory with all that is in it, if it is there. */
  static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(directory)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot delete " + directory, failure);
    }
  }
}
