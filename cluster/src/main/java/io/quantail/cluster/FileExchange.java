package io.quantail.cluster;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Exchanges the files of tasks that run together between driver and executors. The driver first
 * writes a mark file with a random content; an executor that finds this content sees the same
 * directory as the driver and not another one of the same name. Inputs are written before the tasks
 * that read them, each attempt writes its output under a name of its own, and both are deleted when
 * no task needs them any more.
 *
 * @param directory URI of the directory, on a file system of Hadoop
 * @param nonce content of the mark file
 * @param hadoop configuration of the file system
 */
record FileExchange(String directory, String nonce, SerializableConfiguration hadoop)
    implements Serializable {
  /** How long to wait for new files, which network file systems may show late. */
  private static final int PATIENCE_MILLIS = 10_000;

  private static final int PAUSE_MILLIS = 250;

  /** Reads something that may appear with a delay. */
  private interface Lookup<T> {
    T look() throws IOException;
  }

  FileExchange(String directory, String nonce, Configuration hadoop) {
    this(directory, nonce, new SerializableConfiguration(hadoop));
  }

  /**
   * A directory of the exchange.
   *
   * @param name of the directory
   * @param entries number of its entries, which network file systems may show late
   */
  record Stored(String name, int entries) implements Serializable {}

  /** Writes the mark file. */
  void mark() throws IOException {
    try (FSDataOutputStream output = files().create(mark(directory))) {
      output.write(nonce.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static org.apache.hadoop.fs.Path mark(String directory) {
    return new org.apache.hadoop.fs.Path(directory, "mark");
  }

  /** Whether this process sees the mark file of the driver; waits for it to appear. */
  boolean isSeen() throws IOException {
    try {
      return patiently(this::readMark).equals(nonce);
    } catch (FileNotFoundException unseen) {
      return false;
    }
  }

  private String readMark() throws IOException {
    try (FSDataInputStream input = files().open(mark(directory))) {
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Copies a local directory to the exchange, under a new name. */
  Stored put(Path source, String name) throws IOException {
    org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(directory, name);
    files().mkdirs(target.getParent());
    files().copyFromLocalFile(false, true, local(source), target);
    try (Stream<Path> entries = Files.list(source)) {
      return new Stored(name, (int) entries.count());
    }
  }

  /** Copies a directory of the exchange to an empty local directory and syncs it to disk. */
  void get(Stored stored, Path target) throws IOException {
    FileSystem files = files();
    for (FileStatus child : patiently(() -> list(stored))) {
      files.copyToLocalFile(false, child.getPath(), local(target), true);
    }
    sync(target);
  }

  private FileStatus[] list(Stored stored) throws IOException {
    org.apache.hadoop.fs.Path source = new org.apache.hadoop.fs.Path(directory, stored.name());
    FileStatus[] children = files().listStatus(source);
    if (children.length < stored.entries()) {
      throw new FileNotFoundException(
          String.format(
              Locale.ROOT, "%s has %d of %d entries", source, children.length, stored.entries()));
    }
    return children;
  }

  /** Uses plain streams, because an interrupt closes file channels. */
  private static void sync(Path directory) throws IOException {
    List<Path> written;
    try (Stream<Path> tree = Files.walk(directory)) {
      written = tree.filter(Files::isRegularFile).toList();
    }
    for (Path file : written) {
      try (FileOutputStream stream = new FileOutputStream(file.toFile(), true)) {
        stream.getFD().sync();
      }
    }
  }

  /** Deletes all files, ignoring failures. */
  void remove() {
    remove(new org.apache.hadoop.fs.Path(directory));
  }

  /** Deletes a directory of the exchange, ignoring failures. */
  void remove(String name) {
    remove(new org.apache.hadoop.fs.Path(directory, name));
  }

  private void remove(org.apache.hadoop.fs.Path path) {
    try {
      files().delete(path, true);
    } catch (IOException left) {
      // deleted with the shared directory
    }
  }

  private static <T> T patiently(Lookup<T> lookup) throws IOException {
    for (int waited = 0; waited < PATIENCE_MILLIS; waited += PAUSE_MILLIS) {
      try {
        return lookup.look();
      } catch (FileNotFoundException notYet) {
        InterruptHandling.sleep(PAUSE_MILLIS);
      }
    }
    return lookup.look();
  }

  private FileSystem files() throws IOException {
    return new org.apache.hadoop.fs.Path(directory).getFileSystem(hadoop.value());
  }

  private static org.apache.hadoop.fs.Path local(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }
}
