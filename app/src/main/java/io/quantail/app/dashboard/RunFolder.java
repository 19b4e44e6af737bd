package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.quantail.health.AlertHistory;
import io.quantail.run.RunLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;

/**
 * A run or a population as the dashboard may see it: regular files of one directory, never through
 * a link.
 *
 * <p>Names of files are ours; nothing that a visitor sends becomes part of a path.
 *
 * @param id name of its directory
 * @param path where it really is
 */
record RunFolder(String id, Path path) {
  static final String METRICS = RunLayout.METRICS;
  static final String CONFIG = RunLayout.CONFIG;
  static final String RUN = RunLayout.RUN;
  static final String RESULT = RunLayout.RESULT;
  static final String ALERTS = RunLayout.ALERTS;
  static final String JOURNAL = RunLayout.JOURNAL;
  static final String POPULATION = RunLayout.POPULATION;

  /** Of a sweep or walk forward, which has settings but is no run: its agents are. */
  static final String AGENTS = RunLayout.STUDY;

  private static final int NEWEST_ALERTS = 1 << 20; // bytes
  private static final int LARGEST_DOCUMENT = 4 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();

  /** Size and time of a file; two equal ones mean that nothing was written in between. */
  record Stamp(long size, long modifiedMillis) {}

  Optional<Stamp> stamp(String name) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(
              path.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile()
          ? Optional.of(new Stamp(attributes.size(), attributes.lastModifiedTime().toMillis()))
          : Optional.empty();
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  /** A regular file for reading; a link, pipe or directory is as good as missing. */
  FileChannel open(String name) throws IOException {
    if (stamp(name).isEmpty()) {
      throw new IOException(id + " has no regular file " + name);
    }
    return FileChannel.open(
        path.resolve(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** The last bytes of a file, all of them if there are fewer. */
  byte[] tail(String name, int most) throws IOException {
    try (FileChannel channel = open(name)) {
      long start = Math.max(0, channel.size() - most);
      ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - start));
      while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) >= 0) {
        // until full, or the file has become shorter
      }
      byte[] read = new byte[bytes.position()];
      bytes.flip().get(read);
      return read;
    }
  }

  /** The newest alerts; none if the file cannot be read. */
  AlertHistory alerts() {
    try {
      return AlertHistory.parse(new String(tail(ALERTS, NEWEST_ALERTS), StandardCharsets.UTF_8));
    } catch (IOException none) {
      return AlertHistory.NONE;
    }
  }

  /** A JSON or YAML document; missing when it is absent, damaged or unreasonably large. */
  JsonNode document(String name) {
    try (FileChannel channel = open(name);
        InputStream stream = Channels.newInputStream(channel)) {
      if (channel.size() > LARGEST_DOCUMENT) {
        return MissingNode.getInstance();
      }
      return (name.endsWith(".yaml") ? YAML : JSON).readTree(stream);
    } catch (IOException unreadable) {
      return MissingNode.getInstance();
    }
  }

  /** The settings in force; those of the start if the file with them cannot be read. */
  JsonNode settings() {
    JsonNode current = document(CONFIG);
    return current.isObject() ? current : document(RUN).path("settings");
  }
}
