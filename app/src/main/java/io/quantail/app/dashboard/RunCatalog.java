package io.quantail.app.dashboard;

import io.quantail.run.RunLayout;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the runs, studies and populations in one directory, and nothing outside of it.
 *
 * <p>The name of a run is its path below the directory, such as {@code sweep-001/runs/seed-1}. Runs
 * are found by comparing names; a name from a request is never resolved as a path. A link that
 * leads out of the directory is not followed. {@code DashboardSecurityTest} pins both.
 */
final class RunCatalog {
  /** Runs beyond this number are not shown; the page says so. */
  static final int MOST_RUNS = 10_000;

  private static final List<String> AGENTS = List.of(RunLayout.SWEEP_RUNS, RunLayout.FOLDS);

  private final Path root;
  private volatile Found last = new Found(Map.of(), Map.of(), Map.of(), true);

  /**
   * What a directory contains, each by name.
   *
   * @param runs those of the directory and of its studies
   * @param studies sweeps, walk-forwards and purged cross-validations
   * @param populations populations of agents
   * @param complete whether there are no more than {@value #MOST_RUNS} runs
   */
  record Found(
      Map<String, RunFiles> runs,
      Map<String, RunFiles> studies,
      Map<String, RunFiles> populations,
      boolean complete) {}

  RunCatalog(Path runs) throws IOException {
    root = runs.toRealPath();
  }

  /** Name of the directory. */
  String name() {
    return root.getFileName() == null ? root.toString() : root.getFileName().toString();
  }

  /** Looks for runs; the directory may itself be a run, a study or a population. */
  Found scan() {
    Scan scan = new Scan();
    if (!scan.take(name(), root)) {
      children(root, scan::take);
    }
    last = scan.found();
    return last;
  }

  /** A run, or a member of a population after a generation. */
  Optional<RunFiles> find(String id) {
    return known(last.runs().get(id))
        .or(() -> Optional.ofNullable(scan().runs().get(id)))
        .or(() -> member(id));
  }

  /** A sweep, a walk-forward or a purged cross-validation. */
  Optional<RunFiles> findStudy(String id) {
    return known(last.studies().get(id)).or(() -> Optional.ofNullable(scan().studies().get(id)));
  }

  Optional<RunFiles> findPopulation(String id) {
    return known(last.populations().get(id))
        .or(() -> Optional.ofNullable(scan().populations().get(id)));
  }

  /** What was found before, if it is still the same directory. */
  private static Optional<RunFiles> known(@Nullable RunFiles before) {
    try {
      return before != null && before.path().toRealPath().equals(before.path())
          ? Optional.of(before)
          : Optional.empty();
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** Members are many and have metrics alone, so they are not listed among the runs. */
  private Optional<RunFiles> member(String id) {
    for (RunFiles population : last.populations().values()) {
      String start = population.id() + "/" + RunLayout.MEMBERS + "/";
      String[] names = id.startsWith(start) ? id.substring(start.length()).split("/", -1) : null;
      if (names != null && names.length == 2) {
        return child(population.path(), RunLayout.MEMBERS)
            .flatMap(members -> child(members, names[0]))
            .flatMap(member -> child(member, names[1]))
            .filter(RunCatalog::isRun)
            .map(path -> new RunFiles(id, path));
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> child(Path parent, String wanted) {
    List<Path> found = new ArrayList<>();
    children(
        parent,
        (name, path) -> {
          if (name.equals(wanted)) {
            found.add(path);
          }
        });
    return found.stream().findFirst();
  }

  /** Calls back with name and real path of each directory in a directory. */
  private static void children(Path parent, BiConsumer<String, Path> take) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
      for (Path entry : entries) {
        inside(parent, entry).ifPresent(path -> take.accept(entry.getFileName().toString(), path));
      }
    } catch (IOException | DirectoryIteratorException gone) {
      // its runs are missing from the list
    }
  }

  /** The real path of an entry that is a directory; empty if it is outside of its parent. */
  private static Optional<Path> inside(Path parent, Path entry) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        return Optional.of(entry);
      }
      if (!attributes.isSymbolicLink()) {
        return Optional.empty();
      }
      Path real = entry.toRealPath();
      return real.startsWith(parent) && !real.equals(parent) ? Optional.of(real) : Optional.empty();
    } catch (IOException dangling) {
      return Optional.empty();
    }
  }

  private static boolean isRun(Path directory) {
    RunFiles folder = new RunFiles("", directory);
    return folder.stamp(RunFiles.CONFIG).isPresent()
        || folder.stamp(RunFiles.RUN).isPresent()
        || folder.stamp(RunFiles.METRICS).isPresent();
  }

  /** Collects what a walk through the directories finds. */
  private static final class Scan {
    private final Map<String, RunFiles> runs = new TreeMap<>();
    private final Map<String, RunFiles> studies = new TreeMap<>();
    private final Map<String, RunFiles> populations = new TreeMap<>();
    private boolean complete = true;

    /** Whether the directory is a run, a study or a population. */
    boolean take(String id, Path path) {
      RunFiles folder = new RunFiles(id, path);
      if (folder.stamp(RunFiles.STUDY).isPresent()) {
        studies.put(id, folder);
        AGENTS.forEach(agents -> child(path, agents).ifPresent(all -> takeRuns(id, agents, all)));
        return true;
      }
      if (folder.stamp(RunFiles.JOURNAL).isPresent()) {
        populations.put(id, folder);
        child(path, RunLayout.BEST).ifPresent(best -> takeRun(id + "/" + RunLayout.BEST, best));
        return true;
      }
      return takeRun(id, path);
    }

    private void takeRuns(String study, String agents, Path directory) {
      children(directory, (name, path) -> takeRun(study + "/" + agents + "/" + name, path));
    }

    private boolean takeRun(String id, Path path) {
      if (!isRun(path)) {
        return false;
      }
      if (runs.size() < MOST_RUNS) {
        runs.put(id, new RunFiles(id, path));
      } else {
        complete = false;
      }
      return true;
    }

    Found found() {
      return new Found(
          Collections.unmodifiableMap(runs),
          Collections.unmodifiableMap(studies),
          Collections.unmodifiableMap(populations),
          complete);
    }
  }
}
