package io.quantail.app.dashboard;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds the runs and populations under one directory, and nothing outside of it.
 *
 * <p>Either is found by comparing names, never by resolving what a visitor sent. A link that leads
 * out of the directory is not followed. {@code DashboardSecurityTest} pins both.
 */
final class RunCatalog {
  private static final int MOST_RUNS = 2_000;

  private final Path root;
  private final boolean rootIsRun;
  private final boolean rootIsPopulation;

  RunCatalog(Path runs) throws IOException {
    root = runs.toRealPath();
    rootIsRun = isRun(root);
    rootIsPopulation = isPopulation(root);
  }

  /** What the runs are in, for people. */
  String name() {
    return root.getFileName() == null ? root.toString() : root.getFileName().toString();
  }

  /** In the order of their names; the directory itself, if it is one. */
  List<RunFolder> runs() {
    return rootIsRun ? itself(name -> true) : children(name -> true, RunCatalog::isRun);
  }

  Optional<RunFolder> find(String id) {
    return first(rootIsRun ? itself(id::equals) : children(id::equals, RunCatalog::isRun));
  }

  /** In the order of their names; the directory itself, if it is one. */
  List<RunFolder> populations() {
    return rootIsPopulation
        ? itself(name -> true)
        : children(name -> true, RunCatalog::isPopulation);
  }

  Optional<RunFolder> findPopulation(String id) {
    return first(
        rootIsPopulation ? itself(id::equals) : children(id::equals, RunCatalog::isPopulation));
  }

  private static Optional<RunFolder> first(List<RunFolder> found) {
    return found.stream().findFirst();
  }

  private List<RunFolder> itself(Predicate<String> wanted) {
    return wanted.test(name()) ? List.of(new RunFolder(name(), root)) : List.of();
  }

  private List<RunFolder> children(Predicate<String> wanted, Predicate<Path> kind) {
    List<RunFolder> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        if (found.size() < MOST_RUNS && wanted.test(entry.getFileName().toString())) {
          inside(entry).filter(kind).ifPresent(path -> found.add(folder(entry, path)));
        }
      }
    } catch (IOException | DirectoryIteratorException gone) {
      return List.of();
    }
    found.sort(Comparator.comparing(RunFolder::id));
    return found;
  }

  private static RunFolder folder(Path entry, Path real) {
    return new RunFolder(entry.getFileName().toString(), real);
  }

  /** Where an entry really is; empty if that is outside. */
  private Optional<Path> inside(Path entry) {
    try {
      Path real = entry.toRealPath();
      return real.startsWith(root) && !real.equals(root) ? Optional.of(real) : Optional.empty();
    } catch (IOException dangling) {
      return Optional.empty();
    }
  }

  private static boolean isRun(Path directory) {
    RunFolder folder = new RunFolder("", directory);
    return folder.stamp(RunFolder.CONFIG).isPresent() && folder.stamp(RunFolder.AGENTS).isEmpty()
        || folder.stamp(RunFolder.RUN).isPresent()
        || folder.stamp(RunFolder.METRICS).isPresent();
  }

  private static boolean isPopulation(Path directory) {
    return new RunFolder("", directory).stamp(RunFolder.JOURNAL).isPresent();
  }
}
