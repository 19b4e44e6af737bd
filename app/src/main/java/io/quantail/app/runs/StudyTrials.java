package io.quantail.app.runs;

import io.quantail.app.common.UsageException;
import io.quantail.market.ledger.StudyTrial;
import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The agents in directories of runs and studies that can be compared as trials.
 *
 * @param name of the trial
 * @param runs of the agent; of a walk-forward, one per fold in the order of time
 */
public record StudyTrials(String name, List<Path> runs) {
  /** Bars that runs are evaluated on, by the suffix of their files, the usual ones first. */
  private static final List<String> SUFFIXES = List.of("", "-validation", "-data");

  /** Suffix of the files of agents that were evaluated on validation bars. */
  public static final String VALIDATION = SUFFIXES.get(1);

  /** The agents of a run, sweep, walk-forward or population. */
  public static List<StudyTrials> in(Path directory) {
    if (Files.isDirectory(directory.resolve(RunLayout.FOLDS))) {
      return walkForward(ReportWriter.name(directory) + " ", children(directory, RunLayout.FOLDS));
    }
    if (Files.isDirectory(directory.resolve(RunLayout.SWEEP_RUNS))) {
      return each(children(directory, RunLayout.SWEEP_RUNS));
    }
    if (Files.isRegularFile(directory.resolve(RunLayout.POPULATION))) {
      return each(
          children(directory, RunLayout.MEMBERS).stream()
              .flatMap(member -> children(member, "").stream())
              .filter(generation -> hasEvidence(generation, VALIDATION))
              .toList());
    }
    if (!RunReader.isRun(directory)) {
      throw new UsageException(
          "%s is no run, sweep, walk-forward or population; name directories that quantail made"
              .formatted(directory));
    }
    return List.of(new StudyTrials(directory.toString(), List.of(directory)));
  }

  /** One trial per run. */
  public static List<StudyTrials> each(List<Path> runs) {
    return runs.stream().map(run -> new StudyTrials(ReportWriter.name(run), List.of(run))).toList();
  }

  /**
   * One trial per seed, from runs named {@code fold-N-seed-S}.
   *
   * @param prefix of the names
   */
  public static List<StudyTrials> walkForward(String prefix, List<Path> folds) {
    Map<String, Map<Integer, Path>> seeds = new LinkedHashMap<>();
    for (Path fold : folds) {
      String[] name = ReportWriter.name(fold).split("-", 4);
      seeds
          .computeIfAbsent(prefix + "seed " + name[3], seed -> new TreeMap<>())
          .put(Integer.valueOf(name[1]), fold);
    }
    List<StudyTrials> trials = new ArrayList<>();
    seeds.forEach((seed, runs) -> trials.add(new StudyTrials(seed, List.copyOf(runs.values()))));
    return trials;
  }

  /** The trials whose returns are there. */
  public static List<StudyTrial> read(List<StudyTrials> trials, String suffix) {
    return trials.stream()
        .flatMap(trial -> StudyTrial.read(trial.name, trial.runs, suffix).stream())
        .toList();
  }

  /** The trial of this agent. */
  public StudyTrial require(String suffix) {
    return StudyTrial.read(name, runs, suffix)
        .orElseThrow(
            () ->
                new UsageException(
                    "the returns of %s are missing or damaged; write them with: quantail evaluate %s"
                        .formatted(name, runs.get(0))));
  }

  /** The bars that all trials were evaluated on, by the suffix of the files. */
  public static String commonSuffix(List<StudyTrials> trials) {
    for (String suffix : SUFFIXES) {
      if (trials.stream()
          .flatMap(trial -> trial.runs.stream())
          .allMatch(run -> hasEvidence(run, suffix))) {
        return suffix;
      }
    }
    Path missing =
        trials.stream()
            .flatMap(trial -> trial.runs.stream())
            .filter(run -> SUFFIXES.stream().noneMatch(suffix -> hasEvidence(run, suffix)))
            .findFirst()
            .orElse(null);
    throw new UsageException(
        missing == null
            ? "the runs were evaluated on different parts of their bars, some on test and some on"
                + " validation bars; evaluate all on the same part with: quantail evaluate RUN --split PART"
            : "%s has no %s; write it with: quantail evaluate %s"
                .formatted(missing, RunLayout.evidence(""), missing));
  }

  private static boolean hasEvidence(Path run, String suffix) {
    return Files.isRegularFile(run.resolve(RunLayout.evidence(suffix)));
  }

  private static List<Path> children(Path directory, String name) {
    try (Stream<Path> found = Files.list(directory.resolve(name))) {
      return found.filter(Files::isDirectory).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + directory.resolve(name), failure);
    }
  }
}
