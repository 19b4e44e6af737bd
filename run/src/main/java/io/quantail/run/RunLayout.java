package io.quantail.run;

import io.quantail.run.io.DirectoryLock;
import io.quantail.run.metrics.MetricCsv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Names of the files and directories of runs, studies and populations. */
public final class RunLayout {
  /** All settings of a run or study, resolved. */
  public static final String CONFIG = "config.yaml";

  /** Observations and actions of the agent, where a Java program trained it. */
  public static final String SPACES = "spaces.json";

  /** Seed, settings at the start, versions and start time of a run. */
  public static final String RUN = "run.json";

  /** State of a training; see {@link RunStatus}. */
  public static final String STATUS = "status.json";

  /** Every metric of every update. */
  public static final String METRICS = "metrics.csv";

  /** Wall-clock time of every update. */
  public static final String CLOCK = MetricCsv.CLOCK;

  /** The metrics as a columnar file, written when a training ends. */
  public static final String PARQUET = "metrics.parquet";

  /** Directory of TensorBoard event files. */
  public static final String TENSORBOARD = "tensorboard";

  /** Alerts of the health rules, one line when an alert is raised and one when it is cleared. */
  public static final String ALERTS = "alerts.jsonl";

  /** Directory of snapshots. */
  public static final String SNAPSHOTS = "snapshots";

  /** Directory with one file per failure of an environment. */
  public static final String FAULTS = "faults";

  /** Result of a training with its evaluation. */
  public static final String RESULT = "result.json";

  /** Result of a run or study as one HTML page. */
  public static final String REPORT = "report.html";

  /** Hashes of the other files of a finished run, as {@code sha256sum} writes them. */
  public static final String SUMS = "files.sha256";

  /** Features, scaling, symbols and data fingerprints of a market run. */
  public static final String MARKET = "market.json";

  /** Kind, data fingerprints and grid of a study. */
  public static final String STUDY = "data.json";

  /** File that is locked while a process works in the directory of a run, study or population. */
  public static final String LOCK = DirectoryLock.FILE;

  /** Directory of unfinished attempts of a study or population. */
  public static final String ATTEMPTS = "attempts";

  /** Outcome of a study's task, in the run directory of its agent. */
  public static final String OUTCOME = "outcome.json.gz";

  /** Directory with one run per agent of a sweep. */
  public static final String SWEEP_RUNS = "runs";

  /** Scores of a sweep, one line per agent. */
  public static final String SWEEP_CSV = "results.csv";

  /** Result of a sweep. */
  public static final String SWEEP_RESULT = "results.json";

  /** Directory with one run per fold and seed of a walk-forward study. */
  public static final String FOLDS = "folds";

  /** Result of a walk-forward study. */
  public static final String WALK_FORWARD_RESULT = "walkforward.json";

  /** Chained account of a walk-forward study. */
  public static final String CHAINED_ACCOUNT = "stitched.csv";

  /** Accounts of all paths of a purged cross-validation. */
  public static final String PATHS = "paths.csv";

  /** Journal of a population. */
  public static final String JOURNAL = "journal.jsonl";

  /** Result of a population so far. */
  public static final String POPULATION = "population.json";

  /** Directory with one directory per member of a population. */
  public static final String MEMBERS = "members";

  /** Every evaluation on bars that the agent did not learn from, of all runs. */
  public static final String LEDGER = "ledger.jsonl";

  /** The best member of a population as a run. */
  public static final String BEST = "best";

  /** Files that are there before {@link #CONFIG}, with which a run or study begins. */
  private static final Set<String> EARLIER = Set.of(LOCK, RUN, STUDY);

  /** What a run may have before its first snapshot, the settings last. */
  static final List<String> FIRST_FILES =
      List.of(
          RUN,
          STATUS,
          SPACES,
          METRICS,
          CLOCK,
          ALERTS,
          TENSORBOARD,
          SNAPSHOTS,
          FAULTS,
          MARKET,
          CONFIG);

  private RunLayout() {}

  /**
   * Tests whether a run or study can begin in a directory.
   *
   * @param directory of the run or study
   * @return whether it does not exist, or has only what a process leaves that ended before the run
   *     or study had begun
   */
  public static boolean isFree(Path directory) {
    return !Files.exists(directory) || hasOnly(directory, EARLIER);
  }

  /**
   * Whether a directory exists and has nothing but what a run may have before its first snapshot.
   */
  static boolean hasOnlyFirstFiles(Path directory) {
    Set<String> names = new HashSet<>(EARLIER);
    names.addAll(FIRST_FILES);
    return hasOnly(directory, names);
  }

  private static boolean hasOnly(Path directory, Set<String> names) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .allMatch(name -> names.contains(name) || name.matches("\\..*\\.part"));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the directory " + directory, failure);
    }
  }

  /**
   * Name of the file with the account of a pass over bars, agent and baselines bar by bar.
   *
   * @param suffix separates parts of the data, such as {@code -validation}; empty for test bars
   * @return the file name
   */
  public static String equity(String suffix) {
    return "equity" + suffix + ".csv";
  }

  /**
   * Name of the file with the orders of the agent in the pass of {@link #equity}.
   *
   * @param suffix as in {@link #equity}
   * @return the file name
   */
  public static String trades(String suffix) {
    return "trades" + suffix + ".csv";
  }

  /**
   * Name of the file with the returns of the agent and of buy-and-hold in the pass of {@link
   * #equity}.
   *
   * @param suffix as in {@link #equity}
   * @return the file name
   */
  public static String returns(String suffix) {
    return "returns" + suffix + ".csv";
  }

  /**
   * Name of the file that says how much the pass of {@link #equity} proves; a study has one without
   * a suffix.
   *
   * @param suffix as in {@link #equity}
   * @return the file name
   */
  public static String evidence(String suffix) {
    return "evidence" + suffix + ".json";
  }

  /**
   * Directory with snapshot and metrics of a population's member after a generation.
   *
   * @param population directory of the population
   * @param member index of the member
   * @param generation index of the generation
   * @return the directory
   */
  public static Path member(Path population, int member, int generation) {
    return population
        .resolve(MEMBERS)
        .resolve(String.format(Locale.ROOT, "member-%03d", member))
        .resolve(String.format(Locale.ROOT, "generation-%03d", generation));
  }
}
