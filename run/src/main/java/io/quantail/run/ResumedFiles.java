package io.quantail.run;

import io.quantail.run.io.FileDigest;
import io.quantail.run.metrics.MetricCsv;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.run.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the files of a run back to the moment of the snapshot from which it resumes.
 *
 * <p>A snapshot records size and hash of {@code metrics.csv}; a file that does not begin with these
 * bytes was damaged, and the snapshot is not used. What follows them was written after the snapshot
 * and is cut off. Snapshots of older formats record nothing: there the file is cut after the last
 * row of the snapshot's update.
 */
final class ResumedFiles {
  private ResumedFiles() {}

  /**
   * Checks that the metrics up to a snapshot are those that were there when it was written.
   *
   * @throws SnapshotException if they were changed since
   */
  static void requireMetrics(Path run, Snapshot snapshot) {
    FileDigest recorded = snapshot.manifest().logs().get(RunLayout.METRICS);
    Path file = run.resolve(RunLayout.METRICS);
    String problem = recorded == null ? null : problem(file, recorded);
    if (problem != null) {
      throw new SnapshotException(
          snapshot.directory(),
          "cannot be resumed from, because %s %s".formatted(RunLayout.METRICS, problem));
    }
  }

  /** Why a file does not begin with recorded bytes; null if it does. */
  static @Nullable String problem(Path file, FileDigest recorded) {
    try {
      if (!Files.isRegularFile(file)) {
        return "is missing";
      }
      long size = Files.size(file);
      if (size < recorded.size()) {
        return String.format(Locale.ROOT, "has %d bytes, of at least %d", size, recorded.size());
      }
      return recorded.isPrefixOf(file)
          ? null
          : String.format(Locale.ROOT, "was changed in its first %d bytes", recorded.size());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /** Removes what was written after a snapshot, and says so. */
  static void cut(Path run, Snapshot snapshot, Consumer<String> notes) {
    Path metrics = run.resolve(RunLayout.METRICS);
    long update = snapshot.manifest().info().update();
    FileDigest recorded = snapshot.manifest().logs().get(RunLayout.METRICS);
    int removed =
        recorded == null
            ? MetricCsv.truncateAfter(metrics, update)
            : MetricCsv.truncate(metrics, recorded.size());
    if (removed > 0) {
      notes.accept(
          String.format(
              Locale.ROOT,
              "removed %d rows of %s that came after the snapshot of update %d",
              removed,
              RunLayout.METRICS,
              update));
    }
    cutTimes(run, snapshot, notes);
    try {
      // It lacks the rows that follow.
      Files.deleteIfExists(run.resolve(RunLayout.PARQUET));
      Files.deleteIfExists(run.resolve(RunLayout.SUMS));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot delete old files of " + run, failure);
    }
  }

  private static void cutTimes(Path run, Snapshot snapshot, Consumer<String> notes) {
    Path times = run.resolve(RunLayout.CLOCK);
    Optional<FileDigest> recorded = SnapshotStore.clock(snapshot.directory());
    String problem = recorded.map(digest -> problem(times, digest)).orElse(null);
    if (recorded.isPresent() && problem == null) {
      MetricCsv.truncate(times, recorded.get().size());
      return;
    }
    // Times are not needed to resume.
    if (problem != null) {
      notes.accept("%s %s; its good lines are kept".formatted(times, problem));
    }
    MetricCsv.truncateTimesAfter(
        run.resolve(RunLayout.METRICS), snapshot.manifest().info().update());
  }
}
