package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.quantail.run.RunLayout;
import io.quantail.run.RunStatus;
import io.quantail.run.health.AlertHistory;
import io.quantail.run.io.Json;
import io.quantail.run.settings.YamlConfig;
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
 * The files of a run or a population that the dashboard reads: regular files of one directory,
 * never through a link.
 *
 * <p>File names are constants; no part of a request becomes part of a path.
 *
 * @param id path below the directory of all runs
 * @param path real path of the directory
 */
record RunFiles(String id, Path path) {
  static final String METRICS = RunLayout.METRICS;
  static final String CLOCK = RunLayout.CLOCK;
  static final String STATUS = RunLayout.STATUS;
  static final String CONFIG = RunLayout.CONFIG;
  static final String RUN = RunLayout.RUN;
  static final String RESULT = RunLayout.RESULT;
  static final String REPORT = RunLayout.REPORT;
  static final String ALERTS = RunLayout.ALERTS;
  static final String EVIDENCE = RunLayout.evidence("");
  static final String VALIDATION_EVIDENCE = RunLayout.evidence("-validation");
  static final String JOURNAL = RunLayout.JOURNAL;
  static final String POPULATION = RunLayout.POPULATION;

  /** Kind, data and grid of a sweep or walk-forward, which has settings but is not a run. */
  static final String STUDY = RunLayout.STUDY;

  /** Result of a sweep. */
  static final String SWEEP_RESULT = RunLayout.SWEEP_RESULT;

  /** Result of a walk-forward or a purged cross-validation. */
  static final String WALK_FORWARD_RESULT = RunLayout.WALK_FORWARD_RESULT;

  private static final int NEWEST_ALERTS = 1 << 20; // bytes
  private static final int LARGEST_DOCUMENT = 4 << 20;
  private static final YAMLMapper YAML = new YAMLMapper();

  /** Name of the study or population that a run is part of; empty if it is none's. */
  String study() {
    int end = id.indexOf('/');
    return end < 0 ? "" : id.substring(0, end);
  }

  /** Size and modification time of a file; equal stamps mean that nothing was written. */
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

  /** Opens a regular file for reading; a link, pipe or directory counts as missing. */
  FileChannel open(String name) throws IOException {
    if (stamp(name).isEmpty()) {
      throw new IOException(id + " has no regular file " + name);
    }
    return FileChannel.open(
        path.resolve(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** The last bytes of a file, or all of them if there are fewer. */
  byte[] tail(String name, int most) throws IOException {
    try (FileChannel channel = open(name)) {
      long start = Math.max(0, channel.size() - most);
      ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - start));
      while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) >= 0) {
        // until the buffer is full or the file has become shorter
      }
      byte[] read = new byte[bytes.position()];
      bytes.flip().get(read);
      return read;
    }
  }

  /** All bytes of a document; none if it is absent or larger than 4 MB. */
  byte[] bytes(String name) {
    try {
      return stamp(name).filter(file -> file.size() <= LARGEST_DOCUMENT).isPresent()
          ? tail(name, LARGEST_DOCUMENT)
          : new byte[0];
    } catch (IOException unreadable) {
      return new byte[0];
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

  /** A JSON or YAML document; a missing node if it is absent, damaged or larger than 4 MB. */
  JsonNode document(String name) {
    try (FileChannel channel = open(name);
        InputStream stream = Channels.newInputStream(channel)) {
      if (channel.size() > LARGEST_DOCUMENT) {
        return MissingNode.getInstance();
      }
      return (name.endsWith(".yaml") ? YAML : Json.MAPPER).readTree(stream);
    } catch (IOException unreadable) {
      return MissingNode.getInstance();
    }
  }

  /** The status of the run's training; empty for runs of older builds. */
  Optional<RunStatus> status() {
    return stamp(STATUS).filter(file -> file.size() <= LARGEST_DOCUMENT).isPresent()
        ? RunStatus.read(path)
        : Optional.empty();
  }

  /** The current settings; those of the start if {@code config.yaml} cannot be read. */
  JsonNode settings() {
    JsonNode current = document(CONFIG);
    return current instanceof ObjectNode settings
        ? settings.without(YamlConfig.FORMAT)
        : document(RUN).path("settings");
  }
}
