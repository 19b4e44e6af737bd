package io.quantail.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What lies in a directory of snapshots right now. */
record SnapshotDirectory(Path path) {
  static final String TEMPORARY_PREFIX = "tmp-";

  Path resolve(String name) {
    return path.resolve(name);
  }

  /** All snapshots, newest first; none when the directory does not exist. */
  List<SnapshotName> names() {
    return fileNames().stream()
        .map(SnapshotName::parse)
        .flatMap(Optional::stream)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** What writers left behind that died or are at work. */
  List<Path> temporaries() {
    return fileNames().stream()
        .filter(name -> name.startsWith(TEMPORARY_PREFIX))
        .map(path::resolve)
        .toList();
  }

  /** The scores of the snapshots that have one, newest first, one for each update. */
  Map<SnapshotName, Double> scores(Collection<String> problems) {
    Map<SnapshotName, Double> scores = new LinkedHashMap<>();
    for (SnapshotName name : withoutSuperseded(names())) {
      try {
        Double score = ManifestFile.read(resolve(name.toString())).manifest().info().score();
        if (score != null) {
          scores.put(name, score);
        }
      } catch (SnapshotException damaged) {
        problems.add(damaged.getMessage());
      }
    }
    return scores;
  }

  /** When an update was written several times, the last one counts. */
  private static Collection<SnapshotName> withoutSuperseded(List<SnapshotName> newestFirst) {
    Map<Long, SnapshotName> byUpdate = new LinkedHashMap<>();
    newestFirst.forEach(name -> byUpdate.putIfAbsent(name.update(), name));
    return byUpdate.values();
  }

  /** Changes whenever a writer publishes, points or deletes. */
  String fingerprint() {
    return describe(Pointer.LATEST) + describe(Pointer.BEST) + names();
  }

  private String describe(String pointerName) {
    try {
      return Pointer.read(resolve(pointerName)).toString();
    } catch (SnapshotException damaged) {
      return damaged.getMessage();
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
