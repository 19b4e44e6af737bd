package io.quantail.study.population;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.io.Sha256;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.FormatZero;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Journal of a population: one JSON object per line, each on disk before the next step starts.
 *
 * <p>The first line has the hash of the settings; a file with another hash is refused. An
 * incomplete last line, left by a crash, is removed, and its member is trained again.
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

  private final Path file;
  private final List<JournalEntry> entries = new ArrayList<>();

  private PopulationJournal(Path file) {
    this.file = file;
  }

  /** Opens the journal of a population, or begins one. */
  static PopulationJournal open(Path file, RunConfig config) {
    PopulationJournal journal = new PopulationJournal(file);
    try {
      if (Files.notExists(file) || journal.completeLines().isEmpty()) {
        journal.append(new Head(Head.FORMAT, ConfigDiff.hash(config)));
      } else {
        journal.read(config);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot use the journal " + file, failure);
    }
    return journal;
  }

  private void read(RunConfig config) throws IOException {
    List<String> lines = completeLines();
    Head head = Json.MAPPER.readValue(lines.get(0), Head.class);
    if (head.format() != Head.FORMAT || !head.isOf(config)) {
      throw new ConfigException(
          file.toAbsolutePath().getParent()
              + " holds a population with other settings; choose another directory with --run, or"
              + " bring the old settings back");
    }
    for (String line : lines.subList(1, lines.size())) {
      entries.add(Json.MAPPER.readValue(line, JournalEntry.class));
    }
  }

  /** Removes an incomplete last line. */
  private List<String> completeLines() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    if (end < bytes.length) {
      try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
        access.setLength(end);
        access.getFD().sync();
      }
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
  }

  /** All entries in the order in which they were added. */
  List<JournalEntry> entries() {
    return List.copyOf(entries);
  }

  /** Adds an entry and returns when it is on disk. */
  void add(JournalEntry entry) {
    try {
      append(entry);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the journal " + file, failure);
    }
    entries.add(entry);
  }

  /** Uses a stream, which an interrupt does not close in the middle of a line. */
  private void append(Object line) throws IOException {
    try (FileOutputStream stream = new FileOutputStream(file.toFile(), true)) {
      stream.write((text(line) + "\n").getBytes(StandardCharsets.UTF_8));
      stream.getFD().sync();
    }
  }

  private static String text(Object line) throws JsonProcessingException {
    return Json.MAPPER.writeValueAsString(line);
  }
}
