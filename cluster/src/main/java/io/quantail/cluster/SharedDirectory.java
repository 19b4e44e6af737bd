package io.quantail.cluster;

import io.quantail.study.task.ClusterException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The directory through which driver and executors exchange files, on any file system of Hadoop: a
 * mounted one, HDFS, an object store.
 *
 * <p>Files are written to a subdirectory of this driver and run, so that several runs may share an
 * address, and files of a driver that crashed are removed when its command is repeated.
 */
final class SharedDirectory {
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:");

  private final org.apache.hadoop.fs.Path home;
  private final Configuration hadoop;

  private SharedDirectory(org.apache.hadoop.fs.Path home, Configuration hadoop) {
    this.home = home;
    this.hadoop = hadoop;
  }

  /**
   * Creates the subdirectory.
   *
   * @param address of {@code --shared}; null for {@code directory}
   * @param directory of the run's attempts, on this machine
   * @throws ClusterException if the address cannot be written
   */
  static SharedDirectory open(String address, Path directory, Configuration hadoop) {
    URI root = address == null ? directory.toUri() : uri(address);
    UUID own = UUID.nameUUIDFromBytes((host() + ':' + directory).getBytes(StandardCharsets.UTF_8));
    org.apache.hadoop.fs.Path home =
        new org.apache.hadoop.fs.Path(new org.apache.hadoop.fs.Path(root), "exchange-" + own);
    try {
      FileSystem files = home.getFileSystem(hadoop);
      files.delete(home, true);
      if (!files.mkdirs(home)) {
        throw new IOException("the directory cannot be created");
      }
    } catch (IOException | IllegalArgumentException unusable) {
      throw new ClusterException(
          "cannot use %s to exchange files with executors: %s; give a directory that all of them can write to with --shared, such as hdfs://HOST/PATH, file:///PATH or /PATH"
              .formatted(root, unusable.getMessage()),
          unusable);
    }
    return new SharedDirectory(home, hadoop);
  }

  /** A name without scheme is a local path, independent of Hadoop's default file system. */
  private static URI uri(String address) {
    if (!SCHEME.matcher(address).lookingAt()) {
      return Path.of(address).toAbsolutePath().toUri();
    }
    try {
      return new URI(address);
    } catch (URISyntaxException malformed) {
      throw new ClusterException(
          "--shared must be an address such as hdfs://HOST/PATH or file:///PATH, was '%s': %s"
              .formatted(address, malformed.getReason()),
          malformed);
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "";
    }
  }

  /** A new exchange, with a random name, for tasks that run together. */
  FileExchange exchange() {
    String nonce = UUID.randomUUID().toString();
    return new FileExchange(new org.apache.hadoop.fs.Path(home, nonce).toString(), nonce, hadoop);
  }

  /** Deletes the subdirectory, ignoring failures. */
  void remove() {
    try {
      home.getFileSystem(hadoop).delete(home, true);
    } catch (IOException left) {
      // removed when the command is repeated
    }
  }

  @Override
  public String toString() {
    return home.getParent().toString();
  }
}
