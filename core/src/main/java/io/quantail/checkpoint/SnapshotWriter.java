package io.quantail.checkpoint;

import io.quantail.state.StateMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes snapshots so that at every moment the directory holds a complete one: all files in a
 * temporary directory, each forced to disk, then one rename, then the pointers, then the clearing
 * of old ones.
 */
final class SnapshotWriter {
  private static final String LOCK_FILE = "lock";

  private final SnapshotDirectory directory;
  private final Retention retention;
  private final Disk disk;

  SnapshotWriter(SnapshotDirectory directory, Retention retention, Disk disk) {
    this.directory = directory;
    this.retention = retention;
    this.disk = disk;
  }

  Saved write(StateMap state, SnapshotInfo info) {
    try {
      createDirectories(directory.path().toAbsolutePath());
      try (FileChannel lock =
          FileChannel.open(
              directory.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        requireOnlyWriter(lock);
        return writeAlone(state, info);
      }
    } catch (IOException failure) {
      throw new SnapshotException(
          directory.path(),
          "snapshot of update %d cannot be written; earlier snapshots are untouched, make the directory writable or free space and resume"
              .formatted(info.update()),
          failure);
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
    disk.createDirectory(path);
    if (parent != null) {
      disk.forceDirectory(parent);
    }
  }

  /** The operating system releases the lock of a process that dies, however it dies. */
  private void requireOnlyWriter(FileChannel lock) throws IOException {
    boolean alone;
    try {
      alone = lock.tryLock() != null;
    } catch (OverlappingFileLockException sameProcess) {
      alone = false;
    }
    if (!alone) {
      throw new SnapshotException(
          directory.path(), "another writer is at work here; a run may have only one");
    }
  }

  private Saved writeAlone(StateMap state, SnapshotInfo info) throws IOException {
    // Nobody else holds the lock, so whatever is temporary belongs to a dead writer.
    for (Path stale : directory.temporaries()) {
      deleteAll(stale);
    }
    Path temporary = temporary("" + ProcessHandle.current().pid());
    try {
      ManifestFile manifest = writeFiles(temporary, state, info);
      SnapshotName name = publish(temporary, manifest, info.update());
      movePointer(Pointer.LATEST, Pointer.to(name, manifest));
      Optional<SnapshotName> best = moveBest();
      return new Saved(
          directory.resolve(name.toString()),
          manifest.manifest(),
          best.equals(Optional.of(name)),
          removeOld(name, best));
    } catch (IOException | RuntimeException failure) {
      removeAfter(failure, temporary);
      throw failure;
    }
  }

  private ManifestFile writeFiles(Path temporary, StateMap state, SnapshotInfo info)
      throws IOException {
    disk.createDirectory(temporary);
    Path stateFile = temporary.resolve(SnapshotReader.STATE_FILE);
    FileDigest digest = writeFile(stateFile, sink -> Safetensors.write(stateFile, state, sink));
    ManifestFile manifest =
        ManifestFile.of(
            new Manifest(Manifest.FORMAT_VERSION, info, Map.of(SnapshotReader.STATE_FILE, digest)));
    writeFile(
        temporary.resolve(ManifestFile.NAME),
        sink -> sink.write(ByteBuffer.wrap(manifest.content())));
    disk.forceDirectory(temporary);
    return manifest;
  }

  @FunctionalInterface
  private interface Content {
    void writeTo(ByteSink sink) throws IOException;
  }

  /** Hashes what was meant to be written, so that damage on the way to the disk shows later. */
  private FileDigest writeFile(Path file, Content content) throws IOException {
    MessageDigest digest = FileDigest.newSha256();
    try (FileChannel channel = disk.create(file)) {
      content.writeTo(
          bytes -> {
            digest.update(bytes.duplicate());
            disk.write(channel, bytes);
          });
      disk.force(channel);
      return new FileDigest(channel.size(), FileDigest.hex(digest));
    }
  }

  /**
   * Gives the snapshot its name. A run that resumed writes an update again: when the same bytes are
   * there already they stay, other bytes get a name of their own, since replacing a directory would
   * leave a moment without either.
   */
  private SnapshotName publish(Path temporary, ManifestFile manifest, long update)
      throws IOException {
    Optional<SnapshotName> newest =
        directory.names().stream().filter(name -> name.update() == update).findFirst();
    if (newest.isPresent() && holds(newest.get(), manifest)) {
      deleteAll(temporary);
      return newest.get();
    }
    SnapshotName name = newest.map(SnapshotName::next).orElse(SnapshotName.first(update));
    disk.move(temporary, directory.resolve(name.toString()));
    disk.forceDirectory(directory.path());
    return name;
  }

  private boolean holds(SnapshotName name, ManifestFile manifest) {
    try {
      return SnapshotReader.read(directory.resolve(name.toString()))
          .manifest()
          .equals(manifest.manifest());
    } catch (SnapshotException damaged) {
      return false;
    }
  }

  private void movePointer(String pointerName, Pointer pointer) throws IOException {
    Path temporary = temporary(pointerName);
    try {
      writeFile(temporary, sink -> sink.write(ByteBuffer.wrap(pointer.render())));
      disk.move(temporary, directory.resolve(pointerName));
      disk.forceDirectory(directory.path());
    } catch (IOException failure) {
      removeAfter(failure, temporary);
      throw failure;
    }
  }

  /** Of equal scores the older one stays the best. */
  private Optional<SnapshotName> moveBest() throws IOException {
    Map<SnapshotName, Double> scores = directory.scores(new ArrayList<>());
    Optional<SnapshotName> best =
        scores.keySet().stream()
            .max(
                Comparator.<SnapshotName, Double>comparing(scores::get)
                    .thenComparing(Comparator.reverseOrder()));
    if (best.isPresent()) {
      ManifestFile manifest = ManifestFile.read(directory.resolve(best.get().toString()));
      Pointer pointer = Pointer.to(best.get(), manifest);
      if (!currentBest().equals(Optional.of(pointer))) {
        movePointer(Pointer.BEST, pointer);
      }
    }
    return best;
  }

  private Optional<Pointer> currentBest() {
    try {
      return Pointer.read(directory.resolve(Pointer.BEST));
    } catch (SnapshotException damaged) {
      return Optional.empty();
    }
  }

  /**
   * Only snapshots older than the one just written go. Newer ones, left when a run went back to an
   * earlier snapshot, stay until the run has passed them.
   */
  private List<String> removeOld(SnapshotName written, Optional<SnapshotName> best) {
    List<String> problems = new ArrayList<>();
    List<Long> kept = new ArrayList<>(List.of(written.update()));
    for (SnapshotName name : directory.names()) {
      boolean older = name.compareTo(written) < 0;
      boolean isBest = best.equals(Optional.of(name));
      boolean isLast = !kept.contains(name.update()) && kept.size() < retention.keepLast();
      if (older && isLast) {
        kept.add(name.update());
      } else if (older && !isBest) {
        remove(name, problems);
      }
    }
    return problems;
  }

  /** Renamed first, so that no reader meets half of it. */
  private void remove(SnapshotName name, List<String> problems) {
    Path path = directory.resolve(name.toString());
    Path temporary = temporary("old-" + name);
    try {
      disk.move(path, temporary);
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
      List<Path> files;
      try (Stream<Path> list = Files.list(path)) {
        files = list.toList();
      }
      for (Path file : files) {
        deleteAll(file);
      }
    }
    if (Files.exists(path)) {
      disk.delete(path);
    }
  }

  private Path temporary(String name) {
    return directory.resolve(SnapshotDirectory.TEMPORARY_PREFIX + name);
  }
}
