package io.quantail.cluster;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Files of tasks that run together, on their way between driver and executors. The driver puts what
 * tasks read, then a mark; an executor that finds the mark sees the same directory as the driver
 * and not another one of the same name. What an attempt has written is put under a name of its own.
 *
 * @param directory an address that Hadoop knows
 * @param nonce what the mark says
 * @param hadoop how the address is reached
 */
record FileExchange(String directory, String nonce, SerializableConfiguration hadoop)
    implements Serializable {
  /** Network file systems show new files late. */
  private static final int PATIENCE_MILLIS = 10_000;

  private static final int PAUSE_MILLIS = 250;

  /** Something that may be there only after a while. */
  private interface Lookup<T> {
    T look() throws IOException;
  }

  FileExchange(String directory, String nonce, Configuration hadoop) {
    this(directory, nonce, new SerializableConfiguration(hadoop));
  }

  /** Says that everything is there. */
  void mark() throws IOException {
    try (FSDataOutputStream output = files().create(mark(directory))) {
      output.write(nonce.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static org.apache.hadoop.fs.Path mark(String directory) {
    return new org.apache.hadoop.fs.Path(directory, "mark");
  }

  /** Whether this process sees the mark, soon. */
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

  /** Copies a directory of this machine to a name that nothing has yet. */
  void put(Path source, String name) throws IOException {
    org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(directory, name);
    files().mkdirs(target.getParent());
    files().copyFromLocalFile(false, true, local(source), target);
  }

  /**
   * Copies what was put under a name into an empty directory of this machine, and onto its disk.
   */
  void get(String name, Path target) throws IOException {
    FileSystem files = files();
    org.apache.hadoop.fs.Path source = new org.apache.hadoop.fs.Path(directory, name);
    for (FileStatus child : patiently(() -> files.listStatus(source))) {
      files.copyToLocalFile(false, child.getPath(), local(target), true);
    }
    sync(target);
  }

  /** Plain streams: an interrupt must not close them in between. */
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

  /** Takes the files away; if that fails nothing is lost. */
  void remove() {
    try {
      files().delete(new org.apache.hadoop.fs.Path(directory), true);
    } catch (IOException left) {
      // goes with the shared directory
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
