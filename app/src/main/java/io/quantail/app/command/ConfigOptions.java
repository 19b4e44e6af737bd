package io.quantail.app.command;

import io.quantail.app.common.UsageException;
import io.quantail.config.RunConfig;
import io.quantail.study.population.PopulationConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options for the settings and the form of the result, the same for all commands that train. */
final class ConfigOptions {
  @Parameters(index = "0", arity = "0..1", paramLabel = "CONFIG", description = "Settings (YAML).")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Override one setting; may be repeated.")
  private List<String> overrides = new ArrayList<>();

  @Option(names = "--json", description = "Print the result as one line of JSON.")
  private boolean json;

  /** The configuration file; null if none was given. */
  Path file() {
    return file;
  }

  /** The values of {@code --set}. */
  List<String> overrides() {
    return List.copyOf(overrides);
  }

  /** Whether {@code --set} names a setting. */
  boolean sets(String path) {
    return overrides.stream()
        .map(one -> one.split("=", 2)[0].strip())
        .anyMatch(given -> given.equals(path) || given.startsWith(path + "."));
  }

  boolean json() {
    return json;
  }

  /**
   * The settings of the file, or of the demo when there is none.
   *
   * @param more overrides that come last
   */
  ConfigSource read(String... more) {
    return ConfigSource.read(file, Stream.concat(overrides.stream(), Arrays.stream(more)).toList());
  }

  /** The settings of the file, for commands without a demo. */
  ConfigSource require(String example, String... more) {
    if (file == null) {
      throw new UsageException("CONFIG is missing; for example " + example);
    }
    return read(more);
  }

  /** Refuses a section {@code population}, which only the command of that name reads. */
  void refusePopulation(String command, RunConfig config) {
    if (config.modules().find(PopulationConfig.class).isPresent()) {
      throw new UsageException(
          "the configuration has a section population, which %s does not read; use: quantail"
                  .formatted(command)
              + " population "
              + file);
    }
  }
}
