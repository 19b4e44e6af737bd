package io.quantail.app;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command keeps what it makes. */
final class RunPlace {
  /** Where that is unless somebody says otherwise. */
  static final Path RUNS = Path.of("runs");

  @Option(
      names = "--run",
      paramLabel = "DIR",
      description = "Where everything is kept (default: below runs, named after CONFIG).")
  private Path directory;

  /** Null when it was not given. */
  Path directory() {
    return directory;
  }

  /**
   * The directory, or one below {@link #RUNS}.
   *
   * @param name of the latter
   */
  Path orNamed(String name) {
    return directory == null ? RUNS.resolve(name) : directory;
  }
}
