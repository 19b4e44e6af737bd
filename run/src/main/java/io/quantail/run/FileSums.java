package io.quantail.run;

import io.quantail.io.AtomicFiles;
import io.quantail.io.Sha256;
import io.quantail.run.io.FileDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file {@code files.sha256} of a finished run: the hashes of its other files, as {@code
 * sha256sum} writes and checks them. Snapshots have manifests of their own; settings may be edited;
 * the status and the lock change.
 */
public final class FileSums {
  private static final Pattern LINE = Pattern.compile("(" + Sha256.HEX_PATTERN + ")  (.+)");
  private static final List<String> OTHERS =
      List.of(RunLayout.SUMS, RunLayout.LOCK, RunLayout.STATUS, RunLayout.CONFIG);

  /** Times of files may lag behind the clock. */
  private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

  private FileSums() {}

  /**
   * Writes the file.
   *
   * @param run directory of a run that is finished
   */
  public static void write(Path run) {
    write(run, new TreeMap<>(), Instant.EPOCH);
  }

  /**
   * Writes the hashes of files that were written since a moment again, and leaves the others; does
   * nothing for a run without the file.
   *
   * @param run directory of a run that is finished
   * @param since when the command began that has written files
   */
  public static void update(Path run, Instant since) {
    if (Files.exists(run.resolve(RunLayout.SUMS))) {
      write(run, read(run), since.minus(CLOCK_STEP));
    }
  }

  private static void write(Path run, Map<String, String> sums, Instant since) {
    try {
      sums.keySet().removeIf(name -> Files.notExists(run.resolve(name)));
      for (Path file : files(run)) {
        String name = name(run, file);
        boolean fresh = !Files.getLastModifiedTime(file).toInstant().isBefore(since);
        if (fresh || !sums.containsKey(name)) {
          sums.put(name, FileDigest.of(file).sha256());
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the files of " + run, failure);
    }
    StringBuilder text = new StringBuilder();
    sums.forEach((name, hash) -> text.append(hash).append("  ").append(name).append('\n'));
    AtomicFiles.write(run.resolve(RunLayout.SUMS), text.toString());
  }

  private static List<Path> files(Path run) throws IOException {
    try (Stream<Path> tree = Files.walk(run)) {
      return tree.filter(Files::isRegularFile)
          .filter(file -> !file.startsWith(run.resolve(RunLayout.SNAPSHOTS)))
          .filter(file -> !OTHERS.contains(name(run, file)))
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .toList();
    }
  }

  private static String name(Path run, Path file) {
    return run.relativize(file).toString().replace('\\', '/');
  }

  /** Hashes by the names of the files; lines that are damaged are left out. */
  private static Map<String, String> read(Path run) {
    Map<String, String> sums = new TreeMap<>();
    lines(run)
        .forEach(
            line -> {
              Matcher parts = LINE.matcher(line);
              if (parts.matches()) {
                sums.put(parts.group(2), parts.group(1));
              }
            });
    return sums;
  }

  private static List<String> lines(Path run) {
    Path file = run.resolve(RunLayout.SUMS);
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /**
   * Compares the files of a run with their hashes.
   *
   * @return what is wrong, by file; nothing if the run has no hashes yet
   */
  static Map<String, String> problems(Path run) {
    Map<String, String> problems = new TreeMap<>();
    if (Files.notExists(run.resolve(RunLayout.SUMS))) {
      return problems;
    }
    List<String> damaged = new ArrayList<>();
    for (String line : lines(run)) {
      if (!LINE.matcher(line).matches()) {
        damaged.add(line);
      }
    }
    if (!damaged.isEmpty()) {
      problems.put(RunLayout.SUMS, "has lines that are not a hash and a name");
    }
    read(run)
        .forEach(
            (name, hash) -> {
              Path file = run.resolve(name).normalize();
              try {
                if (!file.startsWith(run.normalize())) {
                  problems.put(RunLayout.SUMS, "names a file outside of the run");
                } else if (!Files.isRegularFile(file)) {
                  problems.put(name, "is missing");
                } else if (!FileDigest.of(file).sha256().equals(hash)) {
                  problems.put(name, "was changed since it was written");
                }
              } catch (IOException failure) {
                problems.put(name, "cannot be read: " + failure);
              }
            });
    return problems;
  }
}
