package io.quantail.run.snapshot;

import io.quantail.io.AtomicFiles;
import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import io.quantail.state.HashedFileReader;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of a saved agent, in one directory:
 *
 * <pre>
 * state.safetensors  parameters, statistics of observations and returns
 * config.yaml        settings of its training
 * spaces.json        its observations and actions
 * manifest.json      where it comes from, size and hash of the other files
 * </pre>
 *
 * <p>State and manifest are those of a snapshot. Every byte is covered by a SHA-256; a directory
 * that does not match is not read, not even in part.
 */
public final class AgentFiles {
  private static final int MAX_TEXT_BYTES = 1 << 24;

  private AgentFiles() {}

  /**
   * A saved agent.
   *
   * @param state parameters, statistics of observations and returns
   * @param info where it comes from
   * @param settings text of {@code config.yaml}
   * @param spaces text of {@code spaces.json}
   */
  public record Saved(StateMap state, SnapshotInfo info, String settings, String spaces) {}

  private static final String SETTINGS = "config.yaml";
  private static final String SPACES = "spaces.json";

  /** Whether a directory contains a saved agent, possibly a damaged one. */
  public static boolean isAgent(Path directory) {
    return Files.isRegularFile(directory.resolve(Manifest.FILE));
  }

  /**
   * Saves an agent; replaces one that is there.
   *
   * @throws SnapshotException if the directory contains something else or cannot be written
   */
  public static void write(Path directory, Saved agent) {
    if (Files.exists(directory) && !isAgent(directory)) {
      throw new SnapshotException(
          directory, "exists and is not a saved agent; choose another directory");
    }
    try {
      Path parent = directory.toAbsolutePath().getParent();
      Files.createDirectories(parent);
      AtomicFiles.replaceDirectory(directory.toAbsolutePath(), fresh -> fill(fresh, agent));
    } catch (IOException failure) {
      throw new SnapshotException(directory, "cannot be written", failure);
    }
  }

  private static void fill(Path directory, Saved agent) {
    DurableFiles files = new DurableFiles();
    HashedFileWriter writer = new HashedFileWriter(files);
    try {
      files.createDirectory(directory);
      Map<String, FileDigest> digests = new TreeMap<>();
      digests.put(
          SnapshotReader.STATE_FILE,
          writer.writeState(directory.resolve(SnapshotReader.STATE_FILE), agent.state()));
      digests.put(SETTINGS, writer.write(directory.resolve(SETTINGS), bytes(agent.settings())));
      digests.put(SPACES, writer.write(directory.resolve(SPACES), bytes(agent.spaces())));
      writer.write(
          directory.resolve(Manifest.FILE), Manifest.encode(agent.info(), digests, Map.of()));
      files.forceDirectory(directory);
    } catch (IOException failure) {
      throw new SnapshotException(directory, "cannot be written", failure);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a saved agent; every byte is verified before it is returned.
   *
   * @throws SnapshotException if it is incomplete, damaged or of a newer version
   */
  public static Saved read(Path directory) {
    Manifest manifest = Manifest.read(directory);
    return new Saved(
        SnapshotReader.readState(
            directory.resolve(SnapshotReader.STATE_FILE),
            expected(directory, manifest, SnapshotReader.STATE_FILE)),
        manifest.info(),
        text(directory, manifest, SETTINGS),
        text(directory, manifest, SPACES));
  }

  private static FileDigest expected(Path directory, Manifest manifest, String name) {
    FileDigest digest = manifest.files().get(name);
    if (digest == null) {
      throw new SnapshotException(
          directory, "is not a saved agent: its manifest does not list " + name);
    }
    return digest;
  }

  private static String text(Path directory, Manifest manifest, String name) {
    Path file = directory.resolve(name);
    FileDigest expected = expected(directory, manifest, name);
    try (HashedFileReader reader = new HashedFileReader(file)) {
      if (reader.size() != expected.size() || reader.size() > MAX_TEXT_BYTES) {
        throw new SnapshotException(
            file,
            String.format(
                Locale.ROOT, "has %d bytes, expected %d", reader.size(), expected.size()));
      }
      byte[] content = reader.read((int) reader.size());
      String found = reader.sha256();
      if (!found.equals(expected.sha256())) {
        throw new SnapshotException(
            file, "has sha256 %s, expected %s".formatted(found, expected.sha256()));
      }
      return new String(content, StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new SnapshotException(file, "cannot be read", failure);
    }
  }
}
