package io.quantail.io;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Writes files and directories so that each is either complete or absent under its name: the
 * content is written under another name in the same directory and then renamed in one step.
 *
 * <p>This protects readers and the previous content when a process stops at any point or the disk
 * is full. Content is not forced to disk, so it does not protect against a loss of power.
 */
public final class AtomicFiles {
  private AtomicFiles() {}

  /** Produces the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes everything to the stream; the caller closes it. */
    void writeTo(OutputStream output) throws IOException;
  }

  /** Writes a text file in UTF-8, or replaces one; returns the file. */
  public static Path write(Path file, String text) {
    return write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a file, or replaces one; returns the file. */
  public static Path write(Path file, byte[] content) {
    return write(file, output -> output.write(content));
  }

  /** Writes a file, or replaces one; returns the file. Its directory must exist. */
  public static Path write(Path file, Content content) {
    Path part = file.resolveSibling("." + file.getFileName() + ".part");
    try {
      try (OutputStream output = Files.newOutputStream(part)) {
        content.writeTo(output);
      }
      return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      discard(part, failure);
      throw new UncheckedIOException("cannot write " + file, failure);
    } catch (RuntimeException failure) {
      discard(part, failure);
      throw failure;
    }
  }

  private static void discard(Path part, Exception failure) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException another) {
      failure.addSuppressed(another);
    }
  }

  /**
   * Creates a directory with its content, or replaces one.
   *
   * @param fill creates the directory under the name it is given
   */
  public static void replaceDirectory(Path target, Consumer<Path> fill) {
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    deleteDirectory(fresh);
    fill.accept(fresh);
    moveDirectory(fresh, target);
  }

  /**
   * Moves a finished directory within its file system; a directory that has the new name is deleted
   * first, and missing parents are created.
   */
  public static void moveDirectory(Path from, Path to) {
    deleteDirectory(to);
    try {
      Files.createDirectories(to.toAbsolutePath().getParent());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot move " + from + " to " + to, failure);
    }
    moveFile(from, to);
  }

  /** Moves a file within its file system; a file that has the new name is replaced. */
  public static void moveFile(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot move " + from + " to " + to, failure);
    }
  }

  /** Deletes a file, or a directory with everything in it; does nothing if it does not exist. */
  public static void delete(Path path) {
    deleteDirectory(path);
  }

  /** Deletes a directory with everything in it; does nothing if it does not exist. */
  public static void deleteDirectory(Path directory) {
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
