package io.quantail.app.command;

import io.quantail.study.directory.StudyDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option for the directory of a run or study. */
final class RunDirectoryOption {
  /** Default parent directory. */
  static final Path RUNS = Path.of("runs");

  @Option(
      names = "--run",
      paramLabel = "DIR",
      description = "Directory of the run; default: a new one in runs, named after CONFIG.")
  private Path directory;

  /** The directory; null if the option was not given. */
  Path directory() {
    return directory;
  }

  /**
   * The directory of the option, or one below {@link #RUNS}.
   *
   * @param name of the directory below {@link #RUNS}
   */
  Path orNamed(String name) {
    return directory == null ? RUNS.resolve(name) : directory;
  }

  /** The name of a study: that of the configuration, and its kind unless the name ends with it. */
  static String named(String configuration, String kind) {
    return plain(configuration).endsWith(kind) ? configuration : configuration + "-" + kind;
  }

  private static String plain(String name) {
    return name.replaceAll("[-_]", "");
  }

  /**
   * The study in the directory of the option, or in a new one below {@link #RUNS}.
   *
   * @param name of the directory below {@link #RUNS}
   */
  StudyDirectory openStudy(String name, StudyDirectory.Beginning beginning) {
    return directory == null
        ? StudyDirectory.openNext(RUNS, name, beginning)
        : StudyDirectory.open(directory, beginning);
  }
}
