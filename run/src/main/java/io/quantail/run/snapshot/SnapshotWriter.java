package io.quantail.run.snapshot;

import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes snapshots so that the directory contains a complete one at every moment: writes all files
 * into a temporary directory and forces each to disk, renames the directory, moves the pointer, and
 * deletes old snapshots.
 *
 * <p>The owner of the directory has made sure that there is one writer ({@link
 * io.quantail.run.io.DirectoryLock}), so temporary files belong to writers that were killed.
 */
final class SnapshotWriter {
  private final SnapshotDirectory directory;
  private final int snapshotsKept;
  private final DurableFiles files;
  private final HashedFileWriter writer;

  SnapshotWriter(SnapshotDirectory directory, int snapshotsKept, DurableFiles files) {
    this.directory = directory;
    this.snapshotsKept = snapshotsKept;
    this.files = files;
    this.writer = new HashedFileWriter(files);
  }

  Snapshot write(
      StateMap state, SnapshotInfo info, Map<String, FileDigest> logs, @Nullable FileDigest clock) {
    try {
      createDirectories(directory.path().toAbsolutePath());
      deleteTemporaries();
      return publish(state, info, logs, clock);
    } catch (IOException failure) {
      throw cannotWrite("snapshot of update " + info.update(), failure);
    }
  }

  /** Makes KEPT name a snapshot. */
  void keep(SnapshotPointer snapshot) {
    try {
      deleteTemporaries();
      movePointer(snapshot, SnapshotPointer.KEPT);
    } catch (IOException failure) {
      throw cannotWrite(SnapshotPointer.KEPT, failure);
    }
  }

  private SnapshotException cannotWrite(String what, IOException failure) {
    return new SnapshotException(
        directory.path(),
        what
            + " cannot be written; earlier snapshots are untouched, make the directory writable or"
            + " free space and resume",
        failure);
  }

  private void deleteTemporaries() throws IOException {
    for (Path stale : directory.temporaries()) {
      deleteAll(stale);
    }
  }

  private void createDirectories(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return;
    }
    Path parent = path.getParent();
    if (parent != null) {
      createDirectories(parent);
    }
    files.createDirectory(path);
    if (parent != null) {
      files.forceDirectory(parent);
    }
  }

  private Snapshot publish(
      StateMap state, SnapshotInfo info, Map<String, FileDigest> logs, @Nullable FileDigest clock)
      throws IOException {
    Path temporary = temporary("" + ProcessHandle.current().pid());
    try {
      Manifest manifest = writeFiles(temporary, state, info, logs, clock);
      SnapshotName name = publish(temporary, manifest);
      movePointer(new SnapshotPointer(name, manifest.sha256()), SnapshotPointer.LATEST);
      return new Snapshot(directory.resolve(name), state, manifest, removeOld(name));
    } catch (IOException | RuntimeException failure) {
      removeAfter(failure, temporary);
      throw failure;
    }
  }

  private Manifest writeFiles(
      Path temporary,
      StateMap state,
      SnapshotInfo info,
      Map<String, FileDigest> logs,
      @Nullable FileDigest clock)
      throws IOException {
    files.createDirectory(temporary);
    FileDigest digest = writer.writeState(temporary.resolve(SnapshotReader.STATE_FILE), state);
    Path manifestFile = temporary.resolve(Manifest.FILE);
    byte[] manifest = Manifest.encode(info, Map.of(SnapshotReader.STATE_FILE, digest), logs);
    writer.write(manifestFile, sink -> sink.write(ByteBuffer.wrap(manifest)));
    if (clock != null) {
      writer.write(temporary.resolve(ClockDigest.FILE), ClockDigest.encode(clock));
    }
    files.forceDirectory(temporary);
    return Manifest.parse(manifestFile, manifest);
  }

  /**
   * Gives the snapshot its name. A resumed run writes an update again: if the same bytes are there
   * already they stay, other bytes get a name of their own, because replacing a directory would
   * leave a moment without either.
   */
  private SnapshotName publish(Path temporary, Manifest manifest) throws IOException {
    long update = manifest.info().update();
    Optional<SnapshotName> newest =
        directory.names().stream().filter(name -> name.update() == update).findFirst();
    if (newest.isPresent() && contains(newest.get(), manifest)) {
      moveClock(temporary, directory.resolve(newest.get()));
      deleteAll(temporary);
      return newest.get();
    }
    SnapshotName name = newest.map(SnapshotName::next).orElse(SnapshotName.first(update));
    files.move(temporary, directory.resolve(name));
    files.forceDirectory(directory.path());
    return name;
  }

  /** The times of the same update differ when it is done again. */
  private void moveClock(Path from, Path to) throws IOException {
    Path clock = from.resolve(ClockDigest.FILE);
    if (Files.exists(clock)) {
      files.move(clock, to.resolve(ClockDigest.FILE));
      files.forceDirectory(to);
    }
  }

  private boolean contains(SnapshotName name, Manifest manifest) {
    try {
      return SnapshotReader.read(directory.resolve(name)).manifest().equals(manifest);
    } catch (SnapshotException damaged) {
      return false;
    }
  }

  private void movePointer(SnapshotPointer pointer, String file) throws IOException {
    Path temporary = temporary(file);
    try {
      writer.write(temporary, sink -> sink.write(ByteBuffer.wrap(pointer.render())));
      files.move(temporary, directory.resolve(file));
      files.forceDirectory(directory.path());
    } catch (IOException failure) {
      removeAfter(failure, temporary);
      throw failure;
    }
  }

  /**
   * Deletes snapshots older than the one just written, except the one that KEPT names. Newer ones,
   * which remain if a run resumed from an earlier snapshot, stay until the run has passed them.
   */
  private List<String> removeOld(SnapshotName written) {
    List<String> problems = new ArrayList<>();
    Optional<SnapshotName> protectedName;
    try {
      protectedName = SnapshotPointer.read(directory.keptFile()).map(SnapshotPointer::name);
    } catch (SnapshotException damaged) {
      return List.of(damaged.getMessage() + "; old snapshots are not deleted");
    }
    List<Long> kept = new ArrayList<>(List.of(written.update()));
    for (SnapshotName name : directory.names()) {
      boolean older = name.compareTo(written) < 0;
      boolean isLast = !kept.contains(name.update()) && kept.size() < snapshotsKept;
      if (older && isLast) {
        kept.add(name.update());
      } else if (older && !Optional.of(name).equals(protectedName)) {
        remove(name, problems);
      }
    }
    return problems;
  }

  /** Renames the snapshot first, so that no reader finds half of it. */
  private void remove(SnapshotName name, List<String> problems) {
    Path path = directory.resolve(name);
    Path temporary = temporary("old-" + name);
    try {
      files.move(path, temporary);
      deleteAll(temporary);
    } catch (IOException failure) {
      problems.add(path + ": cannot be deleted: " + failure);
    }
  }

  private void removeAfter(Exception failure, Path temporary) {
    try {
      deleteAll(temporary);
    } catch (IOException | RuntimeException another) {
      failure.addSuppressed(another);
    }
  }

  private void deleteAll(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      List<Path> content;
      try (Stream<Path> list = Files.list(path)) {
        content = list.toList();
      }
      for (Path file : content) {
        deleteAll(file);
      }
    }
    if (Files.exists(path)) {
      files.delete(path);
    }
  }

  private Path temporary(String name) {
    return directory.resolve(SnapshotDirectory.TEMPORARY_PREFIX + name);
  }
}
