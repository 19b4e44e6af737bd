package io.quantail.checkpoint;

import io.quantail.state.StateMap;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The snapshots of one run, in one directory:
 *
 * <pre>
 * update-00000010/ state.safetensors manifest.json
 * update-00000012/ state.safetensors manifest.json
 * LATEST           name of the last one and the hash of its manifest
 * BEST             the same for the one with the highest score
 * </pre>
 *
 * <p>A process may be killed, a disk may fill up or a machine lose power at any step of {@link
 * #write}: a complete snapshot remains, the one before or the new one. Every byte is covered by a
 * SHA-256, and what does not verify is never loaded, not even in part. One process writes, any
 * number may read meanwhile. {@code SnapshotCrashTest} stops at every step; {@code
 * SnapshotCorruptionTest} damages every file.
 */
public final class SnapshotStore {
  private final SnapshotReader reader;
  private final SnapshotWriter writer;

  /**
   * The directory holds nothing but snapshots, for example {@code runs/7/snapshots}; it is created
   * by the first write.
   */
  public SnapshotStore(Path directory, Retention retention) {
    this(directory, retention, new LocalDisk());
  }

  SnapshotStore(Path directory, Retention retention, Disk disk) {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory);
    this.reader = new SnapshotReader(snapshots);
    this.writer = new SnapshotWriter(snapshots, retention, disk);
  }

  /**
   * Writes a snapshot, moves LATEST and perhaps BEST, deletes what retention no longer keeps.
   *
   * @throws SnapshotException when it could not be written; earlier snapshots are untouched
   */
  public synchronized Saved write(StateMap state, SnapshotInfo info) {
    return writer.write(state, info);
  }

  /**
   * The last snapshot, or the newest good one before it with the reasons; empty when nothing was
   * ever written.
   *
   * @throws SnapshotException when there are snapshots and none is good
   */
  public Optional<Loaded> latest() {
    return reader.latest();
  }

  /**
   * The snapshot with the highest score, or the next best good one with the reasons; empty when no
   * snapshot has a score.
   *
   * @throws SnapshotException when there are such snapshots and none is good
   */
  public Optional<Loaded> best() {
    return reader.best();
  }

  /**
   * One snapshot's directory, wherever it is.
   *
   * @throws SnapshotException when it is not complete and undamaged
   */
  public static Loaded read(Path snapshot) {
    return SnapshotReader.read(snapshot);
  }
}
