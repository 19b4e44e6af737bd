package io.quantail.run.snapshot;

import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import io.quantail.state.StateMap;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of one run, in one directory:
 *
 * <pre>
 * update-00000010/ state.safetensors manifest.json
 * update-00000012/ state.safetensors manifest.json
 * LATEST           name of the last one and the hash of its manifest
 * KEPT             the same of one that stays beside the last two; only if there is one
 * </pre>
 *
 * <p>A process may be killed, a disk may fill up or a machine may lose power at any step of {@link
 * #write}: a complete snapshot remains, the one before or the new one. Every byte is covered by a
 * SHA-256; a snapshot that does not match is not loaded, not even in part. One process writes, any
 * number may read at the same time. {@code SnapshotCrashTest} stops at every step; {@code
 * SnapshotCorruptionTest} damages every file.
 */
public final class SnapshotStore {
  /** With only one snapshot there would be no other if it is damaged. */
  private static final int SNAPSHOTS_KEPT = 2;

  private final Path directory;
  private final SnapshotReader reader;
  private final SnapshotWriter writer;

  /**
   * Opens a directory that contains only snapshots, for example {@code runs/7/snapshots}; the first
   * write creates it.
   */
  public SnapshotStore(Path directory) {
    this(directory, SNAPSHOTS_KEPT, new DurableFiles());
  }

  /** Opens a directory in which files are written in a given way. */
  public SnapshotStore(Path directory, DurableFiles files) {
    this(directory, SNAPSHOTS_KEPT, files);
  }

  SnapshotStore(Path directory, int snapshotsKept, DurableFiles files) {
    this.directory = directory;
    SnapshotDirectory snapshots = new SnapshotDirectory(directory);
    this.reader = new SnapshotReader(snapshots);
    this.writer = new SnapshotWriter(snapshots, snapshotsKept, files);
  }

  /**
   * Writes a snapshot, makes it the latest and deletes all but the last two and the kept one.
   *
   * @throws SnapshotException if it could not be written; earlier snapshots are untouched
   */
  public synchronized Snapshot write(StateMap state, SnapshotInfo info) {
    return write(state, info, Map.of(), null);
  }

  /**
   * Writes a snapshot, makes it the latest and deletes all but the last two and the kept one.
   *
   * @param logs size and hash of other files of the run, which are durable
   * @param clock size and hash of the file with the times; null if there is none
   * @throws SnapshotException if it could not be written; earlier snapshots are untouched
   */
  public synchronized Snapshot write(
      StateMap state, SnapshotInfo info, Map<String, FileDigest> logs, @Nullable FileDigest clock) {
    return writer.write(state, info, logs, clock);
  }

  /** Returns size and hash of the run's times when a snapshot was written; empty if unknown. */
  public static Optional<FileDigest> clock(Path snapshot) {
    return ClockDigest.read(snapshot);
  }

  /**
   * Returns the last snapshot, or the newest good one before it together with the problems of the
   * later ones; empty if nothing was ever written.
   *
   * @throws SnapshotException if there are snapshots and none is good
   */
  public Optional<Snapshot> latest() {
    return latest(snapshot -> {});
  }

  /**
   * Returns the last snapshot that a check accepts, or the newest good one before it.
   *
   * @param check throws a {@link SnapshotException} for snapshots that cannot be used, which then
   *     count as damaged
   * @throws SnapshotException if there are snapshots and none is good
   */
  public Optional<Snapshot> latest(Consumer<Snapshot> check) {
    return reader.latest(check);
  }

  /** Returns all snapshots, good and damaged ones, the newest first. */
  public List<Path> all() {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory);
    return snapshots.names().stream().map(snapshots::resolve).toList();
  }

  /** Tests whether a directory contains snapshots, possibly damaged ones. */
  public static boolean hasAny(Path directory) {
    return !new SnapshotDirectory(directory).names().isEmpty();
  }

  /** Keeps a snapshot of this directory until another one is kept. */
  public synchronized void keep(Snapshot snapshot) {
    SnapshotName name =
        SnapshotName.parse(snapshot.directory().getFileName().toString()).orElseThrow();
    writer.keep(new SnapshotPointer(name, snapshot.manifest().sha256()));
  }

  /** Returns the newest good snapshot of an update; empty if there is none. */
  public Optional<Snapshot> ofUpdate(long update) {
    return reader.ofUpdate(update);
  }

  /**
   * Returns the snapshot that was {@linkplain #keep kept}; empty if there is none.
   *
   * @throws SnapshotException if it is damaged or was deleted
   */
  public Optional<Snapshot> kept() {
    return reader.kept();
  }

  /**
   * Reads one snapshot from its directory, wherever that is.
   *
   * @throws SnapshotException if it is incomplete or damaged
   */
  public static Snapshot read(Path snapshot) {
    return SnapshotReader.read(snapshot);
  }
}
