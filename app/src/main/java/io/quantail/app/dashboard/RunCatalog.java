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
 * Finds the runs and populations in one directory, and nothing outside of it.
 *
 * <p>They are found by comparing names; a name from a request is never resolved as a path. A link
 * that leads out of the directory is not followed. {@code DashboardSecurityTest} pins both.
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

  /** Name of the directory. */
  String name() {
    return root.getFileName() == null ? root.toString() : root.getFileName().toString();
  }

  /** All runs by name, or the directory itself if it is a run. */
  List<RunFiles> runs() {
    return rootIsRun ? itself(name -> true) : children(name -> true, RunCatalog::isRun);
  }

  Optional<RunFiles> find(String id) {
    return first(rootIsRun ? itself(id::equals) : children(id::equals, RunCatalog::isRun));
  }

  /** All populations by name, or the directory itself if it is a population. */
  List<RunFiles> populations() {
    return rootIsPopulation
        ? itself(name -> true)
        : children(name -> true, RunCatalog::isPopulation);
  }

  Optional<RunFiles> findPopulation(String id) {
    return first(
        rootIsPopulation ? itself(id::equals) : children(id::equals, RunCatalog::isPopulation));
  }

  private static Optional<RunFiles> first(List<RunFiles> found) {
    return found.stream().findFirst();
  }

  private List<RunFiles> itself(Predicate<String> wanted) {
    return wanted.test(name()) ? List.of(new RunFiles(name(), root)) : List.of();
  }

  private List<RunFiles> children(Predicate<String> wanted, Predicate<Path> kind) {
    List<RunFiles> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        if (found.size() < MOST_RUNS && wanted.test(entry.getFileName().toString())) {
          inside(entry).filter(kind).ifPresent(path -> found.add(folder(entry, path)));
        }
      }
    } catch (IOException | DirectoryIteratorException gone) {
      return List.of();
    }
    found.sort(Comparator.comparing(RunFiles::id));
    return found;
  }

  private static RunFiles folder(Path entry, Path real) {
    return new RunFiles(entry.getFileName().toString(), real);
  }

  /** The real path of an entry; empty if it is outside of the directory. */
  private Optional<Path> inside(Path entry) {
    try {
      Path real = entry.toRealPath();
      return real.startsWith(root) && !real.equals(root) ? Optional.of(real) : Optional.empty();
    } catch (IOException dangling) {
      return Optional.empty();
    }
  }

  private static boolean isRun(Path directory) {
    RunFiles folder = new RunFiles("", directory);
    return (folder.stamp(RunFiles.CONFIG).isPresent() && folder.stamp(RunFiles.AGENTS).isEmpty())
        || folder.stamp(RunFiles.RUN).isPresent()
        || folder.stamp(RunFiles.METRICS).isPresent();
  }

  private static boolean isPopulation(Path directory) {
    return new RunFiles("", directory).stamp(RunFiles.JOURNAL).isPresent();
  }
}
