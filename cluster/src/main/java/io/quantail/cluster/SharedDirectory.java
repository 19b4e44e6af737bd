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
 * The directory through which driver and executors exchange files, on any file system that Hadoop
 * knows: a mounted one, HDFS, an object store.
 *
 * <p>All is kept below a directory of this driver and this run, so that several may use one address
 * and what a lost driver left is found and removed when its command is repeated.
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
   * @param address as the user gave it; null for the directory itself
   * @param directory of the run's attempts, on this machine
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
        throw new IOException("the directory cannot be made");
      }
    } catch (IOException | IllegalArgumentException unusable) {
      throw new ClusterException(
          "cannot use %s to exchange files with executors: %s; give a directory that all of them can write with --shared, such as hdfs://HOST/PATH, file:///PATH or /PATH"
              .formatted(root, unusable.getMessage()),
          unusable);
    }
    return new SharedDirectory(home, hadoop);
  }

  /** A name without a scheme is one of this machine, whatever Hadoop's default is. */
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

  /** A place for the files of tasks that run together; nobody knows its name before. */
  FileExchange exchange() {
    String nonce = UUID.randomUUID().toString();
    return new FileExchange(new org.apache.hadoop.fs.Path(home, nonce).toString(), nonce, hadoop);
  }

  /** Takes everything away; if that fails nothing is lost. */
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
