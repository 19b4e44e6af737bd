package io.quantail.app.runs;

import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import io.quantail.run.RunVerification;
import io.quantail.run.RunVerification.Finding;
import io.quantail.run.io.FileDigest;
import io.quantail.run.io.Json;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.run.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Checks the files of a run, or of a study with all its runs. */
public final class StoredFiles {
  private final Path directory;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<Path, RunVerification> runs = new LinkedHashMap<>();
  private int files;

  private StoredFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * Checks a directory.
   *
   * @param directory of a run, sweep, walk-forward or population
   * @return what was found
   */
  public static StoredFiles of(Path directory) {
    StoredFiles checked = new StoredFiles(directory);
    checked.check();
    return checked;
  }

  /** All findings; files are named from the directory on. */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** Number of files that were checked. */
  public int files() {
    return files;
  }

  /** Whether results must be computed again, see {@link RunVerification#needsEvaluation}. */
  public boolean needsEvaluation() {
    return !runsToEvaluate().isEmpty();
  }

  /** The runs whose results must be computed again. */
  public List<Path> runsToEvaluate() {
    return runs.entrySet().stream()
        .filter(run -> run.getValue().needsEvaluation())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Repairs what can be repaired without an evaluation. */
  public void repair() {
    runs.values().forEach(RunVerification::repair);
  }

  private void check() {
    files = count(directory);
    if (Files.exists(directory.resolve(RunLayout.STUDY))) {
      checkStudy();
    } else if (Files.exists(directory.resolve(RunLayout.JOURNAL))) {
      checkPopulation();
    } else if (Files.exists(directory.resolve(RunLayout.CONFIG))
        || Files.exists(directory.resolve(RunLayout.RUN))) {
      checkRun(directory);
    } else {
      RunReader.config(directory); // says that this is no run
    }
  }

  private static int count(Path directory) {
    try (Stream<Path> tree = Files.walk(directory)) {
      return (int) tree.filter(Files::isRegularFile).count();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + directory, failure);
    }
  }

  private void checkRun(Path run) {
    RunVerification verification = RunVerification.of(run);
    runs.put(run, verification);
    for (Finding finding : verification.findings()) {
      findings.add(new Finding(name(run) + finding.file(), finding.problem(), finding.repair()));
    }
  }

  /** The name of a directory below, with a slash; empty for the directory itself. */
  private String name(Path below) {
    String name = directory.relativize(below).toString().replace('\\', '/');
    return name.isEmpty() ? "" : name + "/";
  }

  private void checkStudy() {
    for (String name :
        List.of(RunLayout.STUDY, RunLayout.SWEEP_RESULT, RunLayout.WALK_FORWARD_RESULT)) {
      checkJson(directory.resolve(name));
    }
    checkSettings();
    for (String agents : List.of(RunLayout.SWEEP_RUNS, RunLayout.FOLDS)) {
      for (Path run : list(directory.resolve(agents))) {
        checkRun(run);
        checkOutcome(run);
      }
    }
  }

  private void checkSettings() {
    try {
      RunReader.config(directory);
    } catch (RuntimeException damaged) {
      add(RunLayout.CONFIG, String.valueOf(damaged.getMessage()));
    }
  }

  private void checkPopulation() {
    checkJson(directory.resolve(RunLayout.POPULATION));
    try {
      String text =
          Files.readString(directory.resolve(RunLayout.JOURNAL), StandardCharsets.ISO_8859_1);
      if (!text.endsWith("\n")) {
        add(RunLayout.JOURNAL, "ends in the middle of a line, which repeating the command removes");
      }
      int number = 0;
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        number++;
        requireObject(RunLayout.JOURNAL, line, number);
      }
    } catch (IOException failure) {
      add(RunLayout.JOURNAL, "cannot be read: " + failure);
    }
    for (Path member : list(directory.resolve(RunLayout.MEMBERS))) {
      list(member).forEach(this::checkGeneration);
    }
    if (Files.isDirectory(directory.resolve(RunLayout.BEST))) {
      checkBest(directory.resolve(RunLayout.BEST));
    }
  }

  private void requireObject(String file, String line, int number) {
    try {
      if (Json.MAPPER.readTree(line).isObject()) {
        return;
      }
    } catch (IOException malformed) {
      // reported below
    }
    add(file, String.format(Locale.ROOT, "line %d is not a JSON object", number));
  }

  /** Old generations keep their metrics alone. */
  private void checkGeneration(Path generation) {
    if (Files.notExists(generation.resolve("manifest.json"))) {
      return;
    }
    try {
      Snapshot snapshot = SnapshotStore.read(generation);
      FileDigest recorded = snapshot.manifest().logs().get(RunLayout.METRICS);
      Path metrics = generation.resolve(RunLayout.METRICS);
      if (recorded != null && (Files.notExists(metrics) || !recorded.equals(digest(metrics)))) {
        add(name(generation) + RunLayout.METRICS, "is not the file of the snapshot beside it");
      }
    } catch (SnapshotException damaged) {
      add(name(generation), String.valueOf(damaged.getMessage()));
    }
  }

  private static FileDigest digest(Path file) {
    try {
      return FileDigest.of(file);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /** The best member has settings and a snapshot only. */
  private void checkBest(Path best) {
    try {
      RunReader.config(best);
      RunReader.snapshot(best);
    } catch (RuntimeException damaged) {
      add(name(best), String.valueOf(damaged.getMessage()));
    }
  }

  private void checkJson(Path file) {
    if (Files.exists(file)) {
      try {
        Json.MAPPER.readTree(Files.readAllBytes(file));
      } catch (IOException damaged) {
        add(directory.relativize(file).toString(), "is no JSON");
      }
    }
  }

  /** The format has a checksum of its own. */
  private void checkOutcome(Path run) {
    Path file = run.resolve(RunLayout.OUTCOME);
    try (InputStream content = new GZIPInputStream(Files.newInputStream(file))) {
      Json.MAPPER.readTree(content.readAllBytes());
    } catch (IOException damaged) {
      add(
          name(run) + RunLayout.OUTCOME,
          "is damaged; repeating the command of the study trains this agent again");
    }
  }

  private void add(String file, String problem) {
    findings.add(new Finding(file, problem, null));
  }

  private static List<Path> list(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> content = Files.list(directory)) {
      return content.filter(Files::isDirectory).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + directory, failure);
    }
  }
}
