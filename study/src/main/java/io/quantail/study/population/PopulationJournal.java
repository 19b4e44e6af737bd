package io.quantail.study.population;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.io.Sha256;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.FormatZero;
import io.quantail.study.directory.JournalFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Journal of a population: the entries of all members, generation by generation. The first line has
 * the hash of the settings; a file with another hash is refused.
 */
final class PopulationJournal {

  /**
   * The first line.
   *
   * @param format of the file
   * @param configHash hash of the settings, see {@link ConfigDiff#hash}
   */
  record Head(int format, String configHash) {
    static final int FORMAT = 1;

    boolean isOf(RunConfig config) {
      return configHash.equals(ConfigDiff.hash(config))
          || FormatZero.yaml(config).map(Sha256::hex).filter(configHash::equals).isPresent();
    }
  }

  private PopulationJournal() {}

  /**
   * Opens the journal of a population, or begins one. That of an asynchronous one has the order in
   * which members ended, on which its decisions depend.
   */
  static JournalFile<JournalEntry> open(Path file, RunConfig config, PopulationConfig population) {
    int size = population.size();
    return JournalFile.open(
        file,
        JournalEntry.class,
        population.asynchronous()
            ? null
            : entry -> (long) entry.generation() * size + entry.member(),
        new Head(Head.FORMAT, ConfigDiff.hash(config)),
        line -> require(file, line, config));
  }

  private static void require(Path file, String line, RunConfig config) {
    try {
      Head head = Json.MAPPER.readValue(line, Head.class);
      if (head.format() == Head.FORMAT && head.isOf(config)) {
        return;
      }
    } catch (JsonProcessingException malformed) {
      throw new UncheckedIOException("cannot read the journal " + file, malformed);
    }
    throw new ConfigException(
        file.toAbsolutePath().getParent()
            + " holds a population with other settings; choose another directory with --run, or"
            + " bring the old settings back");
  }
}
