package io.quantail.run.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The content of a directory of snapshots; every call lists it again. */
record SnapshotDirectory(Path path) {
  static final String TEMPORARY_PREFIX = "tmp-";

  Path resolve(String name) {
    return path.resolve(name);
  }

  Path resolve(SnapshotName name) {
    return path.resolve(name.toString());
  }

  Path pointerFile() {
    return path.resolve(SnapshotPointer.LATEST);
  }

  Path keptFile() {
    return path.resolve(SnapshotPointer.KEPT);
  }

  /** All snapshots, newest first; none if the directory does not exist. */
  List<SnapshotName> names() {
    return fileNames().stream()
        .map(SnapshotName::parse)
        .flatMap(Optional::stream)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** Temporary files and directories of writers that were killed or are still writing. */
  List<Path> temporaries() {
    return fileNames().stream()
        .filter(name -> name.startsWith(TEMPORARY_PREFIX))
        .map(path::resolve)
        .toList();
  }

  /** Changes whenever a writer adds or deletes a snapshot or moves the pointer. */
  String fingerprint() {
    try {
      return SnapshotPointer.read(pointerFile()) + " " + names();
    } catch (SnapshotException damaged) {
      return damaged.getMessage() + " " + names();
    }
  }

  private List<String> fileNames() {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (NoSuchFileException absent) {
      return List.of();
    } catch (IOException failure) {
      throw new SnapshotException(path, "cannot be listed", failure);
    }
  }
}
