package io.quantail.app;

import io.quantail.task.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

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
      Directories.delete(fresh);
      fill.accept(fresh);
      Directories.delete(target);
      Files.move(fresh, target);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot make " + target, failure);
    }
  }
}
